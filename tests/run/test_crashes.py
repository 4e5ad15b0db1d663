"""One claim never loses a run: numbers of many digits, sources in other encodings, statements that nothing hashes."""

from pathlib import Path

import pytest
from tests.command import PREAMBLE, Call, write_claims

from boundaudit import MOST_DIGITS, InputError
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.run.runner import verify

HEALTHY = 'good = variance(label="coin.good", right=QUARTER, expected="proved")\n'
HUGE = 'huge = variance(label="coin.huge", right=sp.Integer(10)**{power}, expected="proved")\n'
LATIN = """
def caf\xe9(points, device):
    return np.array([q["p"] * (1 - q["p"]) for q in points])

measured = variance(label="coin.measured", left=Quantity("caf\xe9", caf\xe9, "t"), right=QUARTER)
"""


@pytest.mark.slow
def test_an_integer_of_five_thousand_digits_is_a_number_like_any(call: Call, tmp_path: Path) -> None:
    write_claims(tmp_path, HEALTHY + HUGE.format(power=5000))
    ended = call("verify", "my_claims.py", "--profile", "smoke", "--workers", 1, "--out", "run", "--json")
    assert (ended.code, ended.json["verdicts"], ended.json["errors"]) == (0, {"proved": 2}, {})
    shown = call("show", "coin.huge", "--run", "run", "--json")
    assert (shown.code, shown.json["verdict"]) == (0, "proved")
    assert "0" * 5000 in shown.json["text"]
    assert call("check", "run").code == 0


def test_one_of_more_digits_than_the_limit_is_refused_by_name(tmp_path: Path) -> None:
    file = write_claims(tmp_path, HEALTHY + HUGE.format(power=MOST_DIGITS + 1))
    with pytest.raises(InputError, match=r"coin\.huge.*numbers of at most 100,000 digits.*unevaluated power"):
        verify(files=[file], out=tmp_path / "run", profile="smoke", device="cpu", workers=1)


def test_a_statement_that_cannot_be_hashed_costs_no_other_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_claims(tmp_path, HEALTHY + HUGE.format(power=3))
    whole = Claim.fingerprint.func  # type: ignore[attr-defined]

    def hashed(claim: Claim) -> str:
        if claim.label == "coin.huge":
            raise OverflowError("no hash")
        return str(whole(claim))

    monkeypatch.setattr(Claim, "fingerprint", property(hashed))
    run = verify(files=[file], out=tmp_path / "run", profile="smoke", device="cpu", workers=1)
    assert {label: receipt.findings.verdict for label, receipt in run.receipts.items()} == {"coin.good": "proved"}
    assert "coin.huge: a fault: OverflowError: no hash" in run.manifest.errors["coin.huge"]


@pytest.mark.slow
def test_a_claims_file_is_read_by_the_encoding_that_it_declares(call: Call, tmp_path: Path) -> None:
    text = "# -*- coding: latin-1 -*-\n" + PREAMBLE + HEALTHY + LATIN
    (tmp_path / "my_claims.py").write_text(text, encoding="latin-1")
    ended = call("verify", "my_claims.py", "--profile", "smoke", "--workers", 1, "--out", "run", "--json")
    assert (ended.code, ended.json["verdicts"]) == (0, {"proved": 1, "supported": 1})
    assert call("report", "run", "--format", "html,sarif,junit").code == 0
    assert call("reproduce", "coin.measured", "--run", "run").code == 0
