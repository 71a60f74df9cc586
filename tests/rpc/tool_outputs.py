"""Outputs as tools put them out, long enough to be kept, with failures far from both ends."""


def pytest_log(tests: int = 600) -> str:
    """Two of many tests fail."""
    lines = [
        "============================= test session starts ==============================",
        "platform linux -- Python 3.11.9, pytest-8.3.2, pluggy-1.5.0",
        "rootdir: /app",
        f"collected {tests} items",
        "",
    ]
    lines += [f"tests/test_orders.py::test_order_{i:04d} PASSED [{i * 100 // tests:3d}%]" for i in range(tests)]
    lines[300] = lines[300].replace("PASSED", "FAILED")
    lines += [
        "",
        "=================================== FAILURES ===================================",
        "______________________________ test_refund_twice _______________________________",
        "",
        "    def test_refund_twice() -> None:",
        "        order = paid_order(amount=30)",
        ">       assert refund(order) == 30",
        "E       AssertionError: assert 60 == 30",
        "E        +  where 60 = refund(Order(amount=30))",
        "",
        "tests/test_refunds.py:41: AssertionError",
        "=========================== short test summary info ============================",
        "FAILED tests/test_refunds.py::test_refund_twice - AssertionError: assert 60 == 30",
        "FAILED tests/test_refunds.py::test_überweisung - KeyError: 'iban'",
        f"======================== 2 failed, {tests - 2} passed in 41.07s =========================",
    ]
    return "\n".join(lines) + "\n"


def npm_log() -> str:
    """An installation that cannot resolve its dependencies."""
    lines = [f"npm warn deprecated left-pad@{i}.0.{i % 7}: use String.prototype.padStart()" for i in range(400)]
    lines += [
        "npm error code ERESOLVE",
        "npm error ERESOLVE unable to resolve dependency tree",
        "npm error",
        "npm error While resolving: shop@1.4.0",
        "npm error Found: react@18.3.1",
        "npm error Could not resolve dependency:",
        'npm error peer react@"^17.0.0" from react-table@7.8.0',
        "npm error Fix the upstream dependency conflict, or retry with --force",
        "npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log",
    ]
    return "\n".join(lines) + "\n"


def cargo_log() -> str:
    """A run whose failing test stands in the middle."""
    lines = [f"   Compiling crate-{i} v0.{i % 30}.1" for i in range(250)]
    lines += ["    Finished `test` profile [unoptimized + debuginfo] target(s) in 61.20s", ""]
    lines += ["running 500 tests"]
    lines += [f"test parser::case_{i:03d} ... ok" for i in range(499)]
    lines.insert(400, "test lexer::reads_emoji ... FAILED")
    lines += [
        "",
        "failures:",
        "",
        "---- lexer::reads_emoji stdout ----",
        "thread 'lexer::reads_emoji' panicked at src/lexer.rs:88:9:",
        "assertion `left == right` failed",
        '  left: "🙂"',
        ' right: ""',
        "",
        "",
        "failures:",
        "    lexer::reads_emoji",
        "",
        "test result: FAILED. 499 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.31s",
        "",
        "error: test failed, to rerun pass `--lib`",
    ]
    return "\n".join(lines) + "\n"
