"""Mutants of the checker: `python -m tests.mutation [FILE…]` changes one thing at a time and says what no test notices.

Each mutant lives in a copy of this process, in which one function has another body: no file is written. Tests that call
the function run, quickest first, until one fails. What survives is printed with its line: a test is missing, or the
mutant means the same. Files are those of `FILES`, or others below the package.
"""

import ast
import contextlib
import copy
import functools
import importlib
import itertools
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
KERNEL = ("boxes", "calculus", "checker", "citing", "defined", "domains", "hypotheses", "sums", "transformations")
FILES = (*(f"checks/proof/kernel/{name}.py" for name in KERNEL), "checks/language/compare.py")
TESTS = (
    *(f"tests/proof/test_{name}.py" for name in (
        "along", "boxes", "checker", "citing", "defined", "differentiate", "forged", "hypotheses", "kernel", "rules",
        "substitution", "transformations", "valley",
    )),
    "tests/language/test_compare.py", "tests/truth/test_planted_instances.py",
)  # fmt: skip
LONGEST, TOGETHER = 60, 12
"""Seconds after which a mutant counts as noticed, and of tests that are tried on each."""
_UNCHANGED = 77
"""What a copy of the process ends with in which nothing could be changed."""

_OTHER: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.Div: (ast.Mult,),
    ast.And: (ast.Or,), ast.Or: (ast.And,), ast.BitOr: (ast.BitAnd,), ast.BitAnd: (ast.BitOr,),
}  # fmt: skip
_NAMES = {"all": "any", "any": "all", "min": "max", "max": "min"}


def changed(node: ast.AST) -> Iterator[ast.AST | None]:
    """Other nodes in place of one; None for nothing where a statement stood."""
    match node:
        case ast.Compare(ops=ops):
            for place, operator in enumerate(ops):
                for other in _OTHER.get(type(operator), ()):
                    yield _with(node, ops=[*ops[:place], other(), *ops[place + 1 :]])
        case ast.BoolOp(values=values):
            yield _with(node, op=_OTHER[type(node.op)][0]())
            for place in range(len(values)):
                rest = [*values[:place], *values[place + 1 :]]
                yield rest[0] if len(rest) == 1 else _with(node, values=rest)
        case ast.BinOp() if type(node.op) in _OTHER:
            yield _with(node, op=_OTHER[type(node.op)][0]())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.If() | ast.IfExp():
            yield from (_with(node, test=ast.Constant(value)) for value in (True, False))
        case ast.Raise() | ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield None
        case ast.comprehension(ifs=[_, *_]):
            yield _with(node, ifs=[])
        case ast.Name(id=name) if name in _NAMES:
            yield _with(node, id=_NAMES[name])


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    other = copy.copy(node)
    vars(other).update(fields)
    return other


class _Put(ast.NodeTransformer):
    """Puts another node in place of one."""

    def __init__(self, old: ast.AST, new: ast.AST | None) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        if node is self._old:
            return ast.copy_location(ast.Pass() if self._new is None else self._new, node)
        return self.generic_visit(copy.copy(node))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [self.visit(each) if isinstance(each, ast.AST) else each for each in value])
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module and of its classes, by qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")


def mutants(tree: ast.Module) -> Iterator[tuple[str, int, str, ast.Module]]:
    """Of each function its changes: its name, the line, the line's new text, and the module."""
    for name, function in functions(tree):
        seen = {ast.unparse(function)}
        for node in (
            inner for part in function.body for inner in ast.walk(part) if not isinstance(inner, ast.JoinedStr)
        ):
            for other in changed(node):
                whole = ast.fix_missing_locations(_Put(node, other).visit(tree))
                text = ast.unparse(dict(functions(whole))[name])
                if text not in seen:
                    seen.add(text)
                    yield (
                        name,
                        getattr(node, "lineno", function.lineno),
                        "" if other is None else ast.unparse(other),
                        whole,
                    )


def code_of(code: CodeType, name: str) -> CodeType | None:
    """The code of a function within that of its module."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return next((each for each in inner if each.co_qualname == name), None) or next(
        filter(None, (code_of(each, name) for each in inner)), None
    )


def plain(path: str, name: str) -> Any:
    """The function itself, below what decorates it."""
    found: Any = importlib.import_module("boundaudit." + path.removesuffix(".py").replace("/", "."))
    for part in name.split("."):
        found = vars(found)[part]
    found = getattr(found, "__func__", None) or getattr(found, "fget", None) or getattr(found, "func", None) or found
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return found


class _Calls:
    """A plugin of pytest that notes which test calls which function of which file, and how long it takes."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self.tests: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
        self._files = {str((ROOT / file).resolve()): file for file in files}
        self._file = functools.cache(lambda name: self._files.get(os.path.realpath(name)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        called, started = set(), time.process_time()

        def note(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and (file := self._file(frame.f_code.co_filename)) is not None:
                called.add((file, frame.f_code.co_qualname.partition(".<locals>")[0]))

        sys.setprofile(note)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            for each in called:
                self.tests[each].append((time.process_time() - started, item.nodeid))


def fails(tests: list[str], change: Callable[[], None]) -> bool:
    """Whether a test fails, or none ends, in a copy of this process in which something is changed."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1), os.dup2(nowhere, 2)
        status = _UNCHANGED
        with contextlib.suppress(BaseException):
            change()
            status = 1
            status = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status != _UNCHANGED, "a change that cannot be made"
    return status != 0


def main(files: tuple[str, ...]) -> int:
    """Try all mutants; the exit status says whether one survives."""
    os.chdir(ROOT)
    calls = _Calls(files)
    if pytest.main(["-q", "-p", "no:cacheprovider", *TESTS], plugins=[calls]) != 0:
        return 2
    counts: Counter[str] = Counter()
    for file in files:
        for name, line, text, module in mutants(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
            known = sorted(calls.tests[file, name])
            ends = list(itertools.accumulate(seconds for seconds, _ in known))
            tests = [test for (_, test), end in zip(known, ends, strict=True) if end <= max(TOGETHER, ends[0])]

            def change(file: str = file, name: str = name, module: ast.Module = module) -> None:
                function = plain(file, name)
                function.__code__ = code_of(compile(module, function.__code__.co_filename, "exec"), name)

            noticed = bool(tests) and fails(tests, change)
            counts["noticed" if noticed else "survive"] += 1
            if not noticed:
                print(f"{file}:{line}: {name}: {text or 'left out'}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return int(counts["survive"] > 0)


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or FILES))
