"""Gaussian means of a loss and the heat-flow identity.

For Z ~ N(0, I) the function u(v) = E L(θ + √v Z) solves the heat equation, u' = ½ E ΔL(θ + √v Z), so that

    E L(θ + σZ) - L(θ) = ½ ∫_0^{σ²} E ΔL(θ + √v Z) dv

with the Laplacian in the sense of distributions: where L has a kink, the jump of its slope counts with the density of
Z there. No point between θ and θ + σZ occurs. Derived here.
"""

import sympy as sp


def moment(order: int, variance: sp.Expr) -> sp.Expr:
    """E ε^m for ε ~ N(0, v), by Stein's identity E ε^m = (m-1) v E ε^(m-2).

    Args:
        order: m, at least 0.
        variance: v.

    Returns:
        The moment.
    """
    if order % 2:
        return sp.Integer(0)
    return sp.Integer(1) if order == 0 else (order - 1) * variance * moment(order - 2, variance)


def mean(polynomial: sp.Expr, noise: sp.Symbol, variance: sp.Expr) -> sp.Expr:
    """E p(ε) of a polynomial p.

    Args:
        polynomial: p, an expression in the noise.
        noise: ε.
        variance: its variance.

    Returns:
        The mean, power by power.
    """
    terms = sp.Poly(polynomial, noise).terms()
    return sp.Add(*(coefficient * moment(order, variance) for (order,), coefficient in terms))


def flow(polynomial: sp.Expr, noise: sp.Symbol, variance: sp.Expr) -> sp.Expr:
    """The right side of the heat-flow identity for a polynomial in one variable.

    Args:
        polynomial: L, an expression in the noise.
        noise: its variable.
        variance: σ².

    Returns:
        ½ ∫_0^{σ²} E L''(√v Z) dv.
    """
    v = sp.Dummy("v", nonnegative=True)
    return sp.integrate(mean(sp.diff(polynomial, noise, 2), noise, v), (v, 0, variance)) / 2


def flow_of_fourth_power(count: sp.Expr, variance: sp.Expr) -> sp.Expr:
    """The same for L(u) = |u|⁴ in n dimensions, whose Laplacian is (4n+8)|u|² with mean (4n+8) n v.

    Args:
        count: n.
        variance: σ².

    Returns:
        ½ ∫_0^{σ²} (4n+8) n v dv.
    """
    v = sp.Dummy("v", nonnegative=True)
    return sp.integrate((4 * count + 8) * count * v, (v, 0, variance)) / 2


def flow_of_kink(jump: sp.Expr, deviation: sp.Expr) -> sp.Expr:
    """The flow through a kink at θ itself, where the slope jumps: ½ ∫_0^{σ²} jump/√(2πv) dv.

    Args:
        jump: of the slope.
        deviation: σ.

    Returns:
        What the kink adds to the mean.
    """
    v = sp.Dummy("v", positive=True)
    return sp.integrate(jump / sp.sqrt(2 * sp.pi * v), (v, 0, deviation**2)) / 2
