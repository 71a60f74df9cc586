"""Outputs of test runners, continued."""

from tests.unit.outputs.summary.samples import Output

GOOGLE_TEST = Output(
    "./build/unit_tests",
    1,
    "[ RUN      ] Queue.Pops\nsrc/queue_test.cc:17: Failure\nExpected equality of these values:\n  q.size()\n    "
    "Which is: 1\n  0\n[  FAILED  ] Queue.Pops (0 ms)\n[==========] 2 tests ran. (1 ms total)\n[  PASSED  ] 1 "
    "test.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Queue.Pops\n\n 1 FAILED TEST\n",
    ("- Queue.Pops", "1 test, listed below"),
    ("unit_tests, 1 failed: Queue.Pops",),
)
RSPEC = Output(
    "bundle exec rspec",
    1,
    "F.\n\nFailures:\n\n  1) Order totals items\n     Failure/Error: expect(order.total).to eq(3)\n\n       expected: "
    "3\n            got: 2\n     # ./spec/order_spec.rb:7:in `block'\n\n2 examples, 1 failure\n\nFailed "
    "examples:\n\nrspec ./spec/order_spec.rb:5 # Order totals items\n",
    ("./spec/order_spec.rb:5: Order totals items", "2 examples, 1 failure"),
    ("rspec, 1 failed: ./spec/order_spec.rb:5",),
)
DOTNET = Output(
    "dotnet test",
    1,
    "  Failed Shop.Tests.CartTests.Totals [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values "
    "differ\nExpected: 3\nActual:   2\n\nFailed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, "
    "Duration: 31 ms\n",
    ("Shop.Tests.CartTests.Totals", "Failed!  - Failed:     1, Passed:     4"),
    ("dotnet test, 1 failed: Shop.Tests.CartTests.Totals",),
)
TAP = Output(
    "node --test",
    1,
    "TAP version 13\nok 1 - opens\nnot ok 2 - closes\n  ---\n  error: 'socket hang up'\n  ...\n1..2\n# tests 2\n# "
    "pass 1\n# fail 1\n",
    ("- closes", "# fail 1"),
    ("node, 1 failed: closes",),
)
CTEST = Output(
    "ctest --output-on-failure",
    8,
    "1/2 Test #1: parse ............................   Passed    0.00 sec\n2/2 Test #2: render "
    "...........................***Failed    0.01 sec\n\n50% tests passed, 1 tests failed out of 2\n\nThe following "
    "tests FAILED:\n\t  2 - render (Failed)\nErrors while running CTest\n",
    ("- render", "50% tests passed, 1 tests failed out of 2"),
    ("ctest, 1 failed: render",),
)
PLAYWRIGHT = Output(
    "npx playwright test",
    1,
    "Running 2 tests using 1 worker\n\n  1) [chromium] › login.spec.ts:5:5 › shows a greeting ───────\n\n    Error: "
    "expect(locator).toHaveText(expected)\n\n  1 failed\n    [chromium] › login.spec.ts:5:5 › shows a greeting\n  1 "
    "passed (2.1s)\n",
    ("[chromium] › login.spec.ts:5:5 › shows a greeting", "1 failed; 1 passed (2.1s)"),
    ("shows a greeting",),
)
PHPUNIT = Output(
    "vendor/bin/phpunit",
    1,
    "PHPUnit 10.5\n\n.F  2 / 2 (100%)\n\nThere was 1 failure:\n\n1) Tests\\CartTest::testTotal\nFailed asserting that "
    "2 matches expected 3.\n\n/app/tests/CartTest.php:14\n\nFAILURES!\nTests: 2, Assertions: 2, Failures: 1.\n",
    ("Tests\\CartTest::testTotal", "Tests: 2, Assertions: 2, Failures: 1."),
    ("phpunit, 1 failed: testTotal",),
)
