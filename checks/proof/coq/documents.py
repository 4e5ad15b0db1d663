"""A claim's certificate as one Coq file, and the file that all of them require."""

from __future__ import annotations

from pathlib import Path

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.book import Book, Certificate, Known
from boundaudit.checks.proof.coq.certificates import RULES
from boundaudit.checks.proof.coq.terms import NotExported, identifier

NOTHING: Known = {}
PRELUDE = "boundaudit_prelude"
"""What the file is called on which all others stand."""


def prelude() -> str:
    """The text of the prelude: the functions of expressions and their laws, with proofs."""
    return Path(__file__).with_name("prelude.v").read_text("utf-8")


def document(label: str, statement: Statement, certificate: Certificate, known: Known = NOTHING) -> str:
    """A Coq file that proves a claim from its certificate, and what a chain of steps cites, by label, from theirs.

    An axiom that is cited, of which there is no certificate, is a premise of all that rests on it.
    Its last lemma is the claim, under the label as an identifier.

    Raises:
        NotExported: where a part of the certificate has no Coq proof yet.
    """
    book = Book(RULES, known)
    try:
        name = book.prove(statement, certificate, identifier(label))
    except Rejected as reason:
        raise NotExported(str(reason)) from reason
    head = f"(* {label.replace('*)', '* )')} *)\nRequire Import {PRELUDE}.\nOpen Scope R_scope.\n"
    return "\n".join([head, *book.lemmas, f"Print Assumptions {name}.\n"])
