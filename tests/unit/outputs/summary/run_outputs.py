"""Outputs of test runners."""

from tests.unit.outputs.summary import more_run_outputs
from tests.unit.outputs.summary.samples import Output

PYTEST = Output(
    "cd /app && python -m pytest tests -q 2>&1 | tail -80",
    1,
    """\
............F..F                                                         [100%]
=================================== FAILURES ===================================
__________________________________ test_login __________________________________

    def test_login():
        user = login("anna", "секрет")
>       assert user.name == "Анна"
E       AssertionError: assert 'anna' == 'Анна'
E         - Анна
E         + anna

tests/test_auth.py:14: AssertionError
___________________________ TestCart.test_total[three] ___________________________

self = <tests.test_cart.TestCart object at 0x7f>

>       assert Cart([1, 2]).total == 3
E       TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'

src/cart.py:31: TypeError
=============================== warnings summary ===============================
tests/test_auth.py::test_login
  /app/src/auth.py:3: DeprecationWarning: crypt is deprecated
=========================== short test summary info ============================
FAILED tests/test_auth.py::test_login - AssertionError: assert 'anna' == 'Анна'
FAILED tests/test_cart.py::TestCart::test_total[three] - TypeError: unsupported operan...
2 failed, 14 passed, 1 warning in 0.31s
""",
    ("tests/test_auth.py::test_login: AssertionError: assert 'anna' == "
     "'Анна'", "tests/test_cart.py::TestCart::test_total[three]", "2 failed, 14 passed, 1 warning in "
                                                                  "0.31s", "exit code 1"),
    ("pytest, 2 failed: test_login, test_total[three]",),
)  # fmt: skip
PYTEST_PASSED = Output(
    "pytest",
    0,
    "============ test session starts ============\nplatform linux -- Python 3.11.7\ncollected 12 "
    "items\n\ntests/test_errors.py ............ [100%]\n\n============ 12 passed in 0.40s ============\n",
    ("12 passed in 0.40s", "exit code 0"),
    ("pytest, 12 passed in 0.40s",),
    hides=("Errors", "Failing"),
)
PYTEST_COLLECTION = Output(
    "pytest tests",
    2,
    """\
==================================== ERRORS ====================================
_____________________ ERROR collecting tests/test_api.py ______________________
ImportError while importing test module '/app/tests/test_api.py'.
Traceback:
tests/test_api.py:3: in <module>
    from app import missing
E   ImportError: cannot import name 'missing' from 'app' (/app/app/__init__.py)
=========================== short test summary info ============================
ERROR tests/test_api.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
=============================== 1 error in 0.12s ===============================
""",
    ("tests/test_api.py", "ImportError: cannot import name 'missing' from 'app'", "1 error in 0.12s"),
    ("pytest, 1 failed: tests/test_api.py",),
)  # fmt: skip
UNITTEST = Output(
    "python3 -m unittest discover",
    1,
    """\
.F.E
======================================================================
ERROR: test_parse (test_config.ConfigTest.test_parse)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/test_config.py", line 9, in test_parse
    load("x.toml")
  File "/usr/lib/python3.11/tomllib/_parser.py", line 60, in load
    raise TOMLDecodeError(msg)
tomllib.TOMLDecodeError: Invalid statement (at line 1, column 1)

======================================================================
FAIL: test_size (test_config.ConfigTest.test_size)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/test_config.py", line 15, in test_size
    self.assertEqual(3, 4)
AssertionError: 3 != 4

----------------------------------------------------------------------
Ran 4 tests in 0.002s

FAILED (failures=1, errors=1)
""",
    ("test_parse (test_config.ConfigTest.test_parse)", "test_size (test_config.ConfigTest.test_size)", "tomllib.TOMLDecodeError: Invalid statement (at line 1, column 1) [/app/test_config.py:9]", "AssertionError: 3 != 4 [/app/test_config.py:15]", "Ran 4 tests in 0.002s; FAILED (failures=1, errors=1)"),  # noqa: E501
    ("unittest, 2 failed: test_parse, test_size",),
)  # fmt: skip
GO = Output(
    "go test ./...",
    1,
    """\
ok  \texample.com/app/config\t0.012s
--- FAIL: TestParse (0.00s)
    --- FAIL: TestParse/empty_line (0.00s)
        parse_test.go:22: got 1, want 0
FAIL
FAIL\texample.com/app/parse\t0.004s
# example.com/app/web [example.com/app/web.test]
web/server.go:12:2: undefined: handler
FAIL\texample.com/app/web [build failed]
FAIL
""",
    ("TestParse/empty_line", "example.com/app/web: [build failed]", "undefined: handler [web/server.go:12:2]"),
    ("go test, 2 failed: ", "TestParse"),
)  # fmt: skip
CARGO = Output(
    "cargo test --workspace",
    101,
    """\
   Compiling shop v0.1.0 (/app)
    Finished test [unoptimized + debuginfo] target(s) in 2.31s
     Running unittests src/lib.rs (target/debug/deps/shop-1f)

running 3 tests
test cart::tests::adds ... ok
test cart::tests::removes ... FAILED
test price::tests::rounds ... ok

failures:

---- cart::tests::removes stdout ----
thread 'cart::tests::removes' panicked at src/cart.rs:48:9:
assertion `left == right` failed
  left: 1
 right: 0
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

failures:
    cart::tests::removes

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
""",
    ("- cart::tests::removes", "panicked at src/cart.rs:48:9: assertion `left == right` "
                               "failed", "[src/cart.rs:48]", "test result: FAILED. 2 passed; 1 failed"),
    ("cargo test, 1 failed: removes",),
)  # fmt: skip
JEST = Output(
    "npx jest --ci",
    1,
    """\
PASS src/menu.test.ts
FAIL src/cart.test.ts
  Cart
    ✓ adds an item (3 ms)
    ✕ applies a discount (5 ms)

  ● Cart › applies a discount

    expect(received).toBe(expected) // Object.is equality

    Expected: 90
    Received: 100

      at Object.<anonymous> (src/cart.test.ts:14:25)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 7 passed, 8 total
Snapshots:   0 total
Time:        1.2 s
""",
    ("Cart › applies a discount", "Tests: 1 failed, 7 passed, 8 total"),
    ("jest, 1 failed: applies a discount",),
)  # fmt: skip
VITEST = Output(
    "pnpm exec vitest run",
    1,
    """\
 RUN  v1.6.0 /app

 ❯ src/sum.test.ts  (2 tests | 1 failed) 6ms
   × sum > adds negative numbers
     → expected 1 to be -1 // Object.is equality

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/sum.test.ts > sum > adds negative numbers
AssertionError: expected 1 to be -1 // Object.is equality
 ❯ src/sum.test.ts:8:20

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)
   Duration  312ms
""",
    ("src/sum.test.ts > sum > adds negative "
     "numbers", "AssertionError: expected 1 to be -1", "Tests 1 failed | 1 passed (2)"),
    ("vitest, 1 failed: adds negative numbers",),
)  # fmt: skip
MOCHA = Output(
    "npm test",
    2,
    """\

> api@1.0.0 test
> mocha

  Users
    ✔ lists
    1) creates

  1 passing (12ms)
  1 failing

  1) Users
       creates:

      AssertionError [ERR_ASSERTION]: 500 == 201
      + expected - actual
      at Context.<anonymous> (test/users.js:21:14)

npm ERR! code ELIFECYCLE
npm ERR! errno 1
npm ERR! api@1.0.0 test: `mocha`
""",
    ("Users creates", "AssertionError [ERR_ASSERTION]: 500 == 201", "1 failing", "[test/users.js:21]"),
    ("npm test, 1 failed: Users creates",),
)  # fmt: skip
MAVEN = Output(
    "./mvnw -q test",
    1,
    """\
[INFO] Running com.example.PriceTest
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! - in com.example.PriceTest
[ERROR] com.example.PriceTest.rounds  Time elapsed: 0.004 s  <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <10> but was: <9>
\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
\tat com.example.PriceTest.rounds(PriceTest.java:21)
[INFO] Results:
[ERROR] Failures:
[ERROR]   PriceTest.rounds:21 expected: <10> but was: <9>
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE
""",
    ("com.example.PriceTest.rounds", "expected: <10> but was: <9>", "Tests run: 3, Failures: 1", "BUILD FAILURE"),
    ("rounds",),
)  # fmt: skip
GRADLE = Output(
    "./gradlew test",
    1,
    """\
> Task :test FAILED

PriceTest > rounds() FAILED
    org.opentest4j.AssertionFailedError at PriceTest.java:21

3 tests completed, 1 failed

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':test'.

BUILD FAILED in 4s
""",
    ("PriceTest > rounds()", "3 tests completed, 1 failed", "BUILD FAILED in 4s"),
    ("gradlew test, 1 failed: rounds()",),
)  # fmt: skip
OUTPUTS = {
    name.lower(): value
    for name, value in (*vars(more_run_outputs).items(), *globals().items())
    if isinstance(value, Output)
}
