"""The named results that PAC-Bayes bounds stand on: what each says, where it is from, and which claims encode it."""

from __future__ import annotations

import functools

from boundaudit.checks.language.theorem import Theorem

PAPER = "PAC-Bayes bounds, shared by papers"
_theorem = functools.partial(Theorem, paper=PAPER)

THEOREMS = (
    _theorem(
        number="Donsker-Varadhan",
        title="Change of measure",
        says="Under a posterior, the mean of a function is at most the relative entropy to the prior plus the "
        "logarithm of the prior's mean of its exponential (Donsker & Varadhan 1975).",
        formula=r"\mathbb{E}_\rho \varphi \le \mathrm{KL}(\rho \| \pi) + \ln \mathbb{E}_\pi e^\varphi",
        printed=("pac_bayes.change_of_measure.normalised",),
    ),
    _theorem(
        number="Pinsker",
        title="Relative entropy and the difference of means",
        says="The relative entropy of two Bernoulli laws is at least twice the squared difference of their means "
        "(Pinsker 1964).",
        formula=r"\mathrm{kl}(q \| p) \ge 2 (p - q)^2",
        printed=("pac_bayes.binary_kl.pinsker",),
    ),
    _theorem(
        number="Hoeffding",
        title="Bounded losses are sub-Gaussian",
        says="A loss between 0 and M has the sub-Gaussian constant M/2 (Hoeffding 1963).",
        formula=r"\ln \mathbb{E}\, e^{t (\ell - R)} \le M^2 t^2 / 8",
        printed=("pac_bayes.subgaussian.hoeffding",),
    ),
    _theorem(
        number="Kearns-Saul",
        title="The sub-Gaussian constant of a loss of zero or one",
        says="A loss that is 1 with probability p and else 0 has, for both tails, the sub-Gaussian constant whose "
        "square is (1-2p)/(2 ln((1-p)/p)) (Kearns & Saul 1998).",
        formula=r"\ln \mathbb{E}\, e^{t (\ell - p)} \le \frac{1 - 2p}{4 \ln((1-p)/p)}\, t^2",
        printed=("pac_bayes.subgaussian.kearns-saul",),
        improvement="pac_bayes.subgaussian.lower-tail",
    ),
    _theorem(
        number="Bennett",
        title="Exponential moments by the variance",
        says="A loss of at most 1 above its mean has an exponential moment that its variance bounds (Bennett 1962); "
        "checked for losses with two values.",
        formula=r"\ln \mathbb{E}\, e^{t (\ell - R)} \le \mathrm{Var}(\ell)\, (e^t - 1 - t)",
        printed=("pac_bayes.subgaussian.bennett",),
    ),
    _theorem(
        number="Maurer",
        title="The relative-entropy bound with 2√m",
        says="For losses in [0, 1] the mean of exp(m kl(r‖R)) is at most 2√m, so that the Gibbs risk is at most the "
        "inverse of the relative entropy at (K + ln(2√m/δ))/m (Maurer 2004).",
        formula=r"\mathrm{kl}(r \| R) \le \frac{K + \ln(2 \sqrt{m} / \delta)}{m}",
        printed=("pac_bayes.binary_kl.moment.maurer", "pac_bayes.coverage.maurer"),
        improvement="pac_bayes.binary_kl.moment.sharper",
        derived_from=("Donsker-Varadhan",),
    ),
    _theorem(
        number="Seeger",
        title="The relative-entropy bound with m + 1",
        says="For losses in [0, 1] the mean of exp(m kl(r‖R)) is at most m + 1, so that the Gibbs risk is at most the "
        "inverse of the relative entropy at (K + ln((m+1)/δ))/m (Langford & Seeger 2001, Seeger 2002).",
        formula=r"\mathrm{kl}(r \| R) \le \frac{K + \ln((m + 1) / \delta)}{m}",
        printed=("pac_bayes.binary_kl.moment.seeger", "pac_bayes.coverage.seeger"),
        improvement="pac_bayes.binary_kl.moment.sharper",
        derived_from=("Donsker-Varadhan",),
    ),
    _theorem(
        number="McAllester",
        title="The bound with a square root",
        says="For losses in [0, 1] the Gibbs risk is at most that on the sample plus √((K + ln(2√m/δ))/(2m)) "
        "(McAllester 1999, with Maurer's constant).",
        formula=r"R \le r + \sqrt{\frac{K + \ln(2 \sqrt{m} / \delta)}{2m}}",
        printed=("pac_bayes.coverage.mcallester",),
        improvement="pac_bayes.forms.maurer-below-mcallester",
        derived_from=("Maurer", "Pinsker"),
    ),
    _theorem(
        number="Rivasplata",
        title="The quadratic bound",
        says="For losses in [0, 1] the Gibbs risk is at most (√(r + b) + √b)² with b = (K + ln(2√m/δ))/(2m), which is "
        "below McAllester's bound where that is below a quarter (Rivasplata et al. 2019, Pérez-Ortiz et al. 2021).",
        formula=r"R \le (\sqrt{r + b} + \sqrt{b})^2, \quad b = \frac{K + \ln(2 \sqrt{m} / \delta)}{2m}",
        printed=("pac_bayes.coverage.quadratic", "pac_bayes.forms.quadratic-below-mcallester"),
        improvement="pac_bayes.forms.maurer-below-quadratic",
        derived_from=("Maurer",),
    ),
    _theorem(
        number="Catoni",
        title="The bound with a temperature",
        says="For losses in [0, 1] and a temperature C fixed in advance the Gibbs risk is at most "
        "(1 - exp(-C r - (K + ln(1/δ))/m)) / (1 - exp(-C)) (Catoni 2007, Theorem 1.2.6).",
        formula=r"R \le \frac{1 - e^{-C r - (K + \ln(1/\delta))/m}}{1 - e^{-C}}",
        printed=("pac_bayes.coverage.catoni",),
        derived_from=("Donsker-Varadhan",),
    ),
    _theorem(
        number="Alquier",
        title="The bound for sub-Gaussian losses",
        says="For losses whose lower tail has the sub-Gaussian constant S and a rate λ fixed in advance the Gibbs risk "
        "is at most r + λS²/(2m) + (K + ln(1/δ))/λ (Alquier 2024).",
        formula=r"R \le r + \frac{\lambda S^2}{2m} + \frac{K + \ln(1/\delta)}{\lambda}",
        printed=("pac_bayes.coverage.subgaussian",),
        derived_from=("Donsker-Varadhan", "Hoeffding"),
    ),
    _theorem(
        number="Haddouche-Guedj",
        title="The bound by second moments",
        says="For losses that are not negative and have a mean square of at most v, and a rate λ fixed in advance, the "
        "Gibbs risk is at most r + λv/(2m) + (K + ln(1/δ))/λ (one-sided form of Haddouche & Guedj 2023).",
        formula=r"R \le r + \frac{\lambda v}{2m} + \frac{K + \ln(1/\delta)}{\lambda}",
        printed=("pac_bayes.subgaussian_pac_bayes.one-sided", "pac_bayes.coverage.second-moment"),
        derived_from=("Donsker-Varadhan",),
    ),
    _theorem(
        number="Thiemann",
        title="PAC-Bayes-λ",
        says="For losses in [0, 1] and all λ in (0, 2) at once the Gibbs risk is at most r/(1-λ/2) + (K + ln(2√m/δ))/"
        "(mλ(1-λ/2)); alternating minimisation over λ and the posterior lowers it step by step (Thiemann, Igel, "
        "Wintenberger & Seldin 2017).",
        formula=r"R \le \frac{r}{1 - \lambda/2} + \frac{K + \ln(2 \sqrt{m} / \delta)}{m \lambda (1 - \lambda/2)}",
        printed=("pac_bayes.coverage.lambda", "pac_bayes.forms.tradeoff"),
        improvement="pac_bayes.forms.maurer-below-lambda",
        derived_from=("Maurer",),
    ),
    _theorem(
        number="Rivasplata-Kuzborskij",
        title="One network drawn from the posterior",
        says="For losses in [0, 1] and one network h drawn from the posterior, its risk is at most kl⁻¹ of that on the "
        "sample at (ln(ρ(h)/π(h)) + ln(2√m/δ))/m, with probability 1-δ over sample and draw (Rivasplata, Kuzborskij, "
        "Szepesvári & Shawe-Taylor 2020).",
        formula=r"\mathrm{kl}(r(h) \| R(h)) \le \frac{\ln(\rho(h)/\pi(h)) + \ln(2 \sqrt{m} / \delta)}{m}",
        printed=("pac_bayes.coverage.disintegrated",),
        derived_from=("Maurer",),
    ),
    _theorem(
        number="Viallard",
        title="One network, by Rényi's divergence",
        says="For losses in [0, 1], α > 1 and one network h drawn from the posterior, its risk is at most kl⁻¹ of that "
        "on "
        "the sample at (D_α + ln(2√m) + (2α-1)/(α-1) ln(2/δ))/m (Viallard, Germain, Habrard & Morvant 2024).",
        formula=r"\mathrm{kl}(r(h) \| R(h)) \le \frac{1}{m} \Big( D_\alpha(\rho \| \pi) + \ln(2 \sqrt{m}) + "
        r"\frac{2\alpha - 1}{\alpha - 1} \ln \frac{2}{\delta} \Big)",
        printed=("pac_bayes.coverage.disintegrated-renyi",),
        derived_from=("Maurer",),
    ),
    _theorem(
        number="Mhammedi",
        title="Unexpected Bernstein",
        says="For losses in [0, 1] and a rate λ < m fixed in advance the Gibbs risk is at most r + (λ/m) θ(λ/m) v + "
        "(K + ln(1/δ))/λ, v being the mean square of the losses on the sample (Mhammedi, Grünwald & Guedj 2019).",
        formula=r"R \le r + \frac{\lambda}{m} \theta(\lambda/m) v + \frac{K + \ln(1/\delta)}{\lambda}, \quad "
        r"\theta(u) = \frac{-\ln(1-u) - u}{u^2}",
        printed=("pac_bayes.bernstein.unexpected", "pac_bayes.coverage.unexpected-bernstein"),
        derived_from=("Donsker-Varadhan",),
    ),
    _theorem(
        number="Tolstikhin-Seldin",
        title="Empirical Bernstein",
        says="For losses in [0, 1] the Gibbs risk is bounded by the variance on the sample (in the manner of "
        "Tolstikhin & "
        "Seldin 2013, with two rates fixed in advance in place of their grids; the constants are derived here).",
        formula=r"R \le r + \frac{\lambda}{m} \varphi(\lambda/m) W + \frac{K + \ln(2/\delta)}{\lambda}, \quad "
        r"W = \frac{V + (K + \ln(2/\delta))/\kappa}{1 - \kappa/(2(m-1))}",
        printed=("pac_bayes.coverage.empirical-bernstein",),
        derived_from=("Donsker-Varadhan", "Bennett"),
    ),
    _theorem(
        number="Wu-Seldin",
        title="Split-kl",
        says="Losses in [a, b] are bounded apart above and below a middle value, each by the relative entropy at δ/2 "
        "(Wu & "
        "Seldin 2022).",
        formula=r"R \le \mu + (b - \mu)\, \mathrm{kl}^{-1}\Big(\frac{r_+}{b - \mu}, B\Big) - (\mu - a) "
        r"\Big(1 - \mathrm{kl}^{-1}\Big(1 - \frac{r_-}{\mu - a}, B\Big)\Big)",
        printed=("pac_bayes.law_of_losses.split-kl",),
        improvement="pac_bayes.law_of_losses.coin-below-split",
        derived_from=("Maurer",),
    ),
    _theorem(
        number="Jang",
        title="Coin-betting",
        says="For losses in [0, 1], all ν ≥ 1 and all m at once, the Gibbs risk is at most ν - exp(E_ρ[mean of ln(ν - "
        "ℓ)] - "
        "(K + ln(2√m/δ))/m) (relaxed here from Jang, Jun, Kuzborskij & Orabona 2023).",
        formula=r"R \le \nu - \exp\Big(\mathbb{E}_\rho \frac{1}{m} \sum_i \ln(\nu - \ell_i) - "
        r"\frac{K + \ln(2 \sqrt{m} / \delta)}{m}\Big)",
        printed=("pac_bayes.betting.regret", "pac_bayes.law_of_losses.coin-betting"),
        derived_from=("Donsker-Varadhan",),
    ),
    _theorem(
        number="Chugg",
        title="All sample sizes at once",
        says="Bounds whose exponential moment is below a supermartingale hold for all m at once with the same δ "
        "(Chugg, Wang "
        "& Ramdas 2023, Haddouche & Guedj 2023); by betting, Maurer's is one of them.",
        formula=r"\mathbb{P}\Big[\exists m : R_m > \mathrm{kl}^{-1}\Big(r_m, \frac{K_m + \ln(2 \sqrt{m} / "
        r"\delta)}{m}\Big)\Big] \le \delta",
        printed=("pac_bayes.betting.anytime",),
        derived_from=("Jang",),
    ),
    _theorem(
        number="Alquier-Guedj",
        title="The bound by the chi-squared divergence",
        says="For losses whose variance has a prior mean of at most v, heavy tails included, the Gibbs risk is at most "
        "r + "
        "√((1 + χ²) v/(mδ)) (Alquier & Guedj 2018).",
        formula=r"R \le r + \sqrt{\frac{(1 + \chi^2)\, v}{m \delta}}",
        printed=("pac_bayes.coverage.chi-squared",),
    ),
    _theorem(
        number="Gaussian",
        title="Gaussian noise on parameters",
        says="Prior N(0, σ² I) and posterior N(θ, σ² I) have the relative entropy ‖θ‖²/(2σ²), whatever the number of "
        "parameters (Langford & Caruana 2001, Alquier 2024).",
        formula=r"\mathrm{KL}(N(\theta, \sigma^2 I) \| N(0, \sigma^2 I)) = \frac{\|\theta\|^2}{2 \sigma^2}",
        printed=("pac_bayes.gaussian.shared",),
        improvement="pac_bayes.gaussian.separate.value",
    ),
    _theorem(
        number="Chernoff",
        title="A limit for a mean by the relative entropy",
        says="The mean of a law on [0, 1] is above kl⁻¹(mean of n draws, ln(1/δ)/n) with probability at most δ "
        "(Chernoff 1952, Hoeffding 1963).",
        formula=r"\mathrm{kl}(\bar X \| \mu) \le \frac{\ln(1/\delta)}{n} \ \text{where}\ \bar X \le \mu",
        printed=("pac_bayes.limits.kl",),
    ),
    _theorem(
        number="Maurer-Pontil",
        title="A limit for a mean by the variance that is seen",
        says="The mean of a law on [0, 1] is above the mean of n draws plus √(2V ln(2/δ)/n) + 7 ln(2/δ)/(3(n-1)), V "
        "being their variance, with probability at most δ (Maurer & Pontil 2009).",
        formula=r"\mu \le \bar X + \sqrt{\frac{2 V \ln(2/\delta)}{n}} + \frac{7 \ln(2/\delta)}{3 (n - 1)}",
        printed=("pac_bayes.limits.maurer-pontil",),
        derived_from=("Bennett",),
    ),
    _theorem(
        number="Waudby-Smith-Ramdas",
        title="A limit for a mean by betting",
        says="The mean of a law on [0, 1] is above every mean against which a bettor's capital stayed below 1/δ with "
        "probability at most δ (Waudby-Smith & Ramdas 2024).",
        formula=r"\mu \le \sup \{ \mu' : \max_t \prod_{i \le t} (1 + b_i (\mu' - X_i)) < 1/\delta \}",
        printed=("pac_bayes.limits.betting",),
    ),
)
