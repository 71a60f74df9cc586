"""Outputs of compilers, linters, package managers and programs."""

from tests.unit.outputs.summary.samples import Output

NPM_INSTALL = Output(
    "cd web && npm install",
    1,
    """\
npm ERR! code ERESOLVE
npm ERR! ERESOLVE unable to resolve dependency tree
npm ERR!
npm ERR! While resolving: shop@1.0.0
npm ERR! Found: react@18.2.0
npm ERR! node_modules/react
npm ERR!   react@"^18.2.0" from the root project
npm ERR!
npm ERR! Could not resolve dependency:
npm ERR! peer react@"^17.0.0" from react-table@7.0.0

npm ERR! A complete log of this run can be found in:
npm ERR!     /root/.npm/_logs/2024-05-01T10_00_00_000Z-debug-0.log
""",
    ("code ERESOLVE", "unable to resolve dependency tree", "exit code 1"),
    ("npm install, failed: ERESOLVE unable to resolve dependency tree",),
    hides=("_logs",),
)
NPM_PROGRESS = Output(
    "npm ci",
    0,
    "\x1b[2K\x1b[1G⠙ idealTree\rreify: 10%\rreify: 90%\r\x1b[32madded 120 packages\x1b[0m, and audited 121 packages "
    "in 3s\n\nfound 0 vulnerabilities\n",
    ("added 120 packages, and audited 121 packages in 3s; found 0 vulnerabilities",),
    ("npm ci, ", "found 0 vulnerabilities"),
    hides=("reify", "\x1b", "Errors"),
)
PIP = Output(
    "pip install nonesuch==9",
    1,
    "ERROR: Could not find a version that satisfies the requirement nonesuch==9 (from versions: none)\nERROR: No "
    "matching distribution found for nonesuch==9\n",
    ("Could not find a version that satisfies the requirement nonesuch==9", "No matching distribution found"),
    ("pip install, failed: ERROR: Could not find a version",),
)  # fmt: skip
APT = Output(
    "sudo apt-get install -y libfoo",
    100,
    "Reading package lists...\nBuilding dependency tree...\nE: Unable to locate package libfoo\n",
    ("E: Unable to locate package libfoo",),
    ("apt-get install, failed: E: Unable to locate package libfoo",),
)
GCC = Output(
    "make -j4",
    2,
    """\
gcc -Wall -c src/queue.c -o build/queue.o
src/queue.c: In function 'pop':
src/queue.c:42:12: error: 'struct queue' has no member named 'tial'; did you mean 'tail'?
   42 |   return q->tial;
      |            ^~~~
src/queue.c:40:7: warning: unused variable 'n' [-Wunused-variable]
src/queue.c:55:3: error: expected ';' before '}' token
make: *** [Makefile:12: build/queue.o] Error 1
make: *** Waiting for unfinished jobs....
""",
    ("'struct queue' has no member named 'tial'; did you mean 'tail'? "
     "[src/queue.c:42:12]", "[src/queue.c:55:3]", "make: *** [Makefile:12: build/queue.o] Error 1", "Warnings: 1 line"),
    ("make, failed: error: 'struct queue' has no member named 'tial'",),
)  # fmt: skip
LINKER = Output(
    "g++ main.o -o main",
    1,
    "/usr/bin/ld: main.o: in function `main':\nmain.cpp:(.text+0x9): undefined reference to `run()'\ncollect2: error: "
    "ld returned 1 exit status\n",
    ("undefined reference to `run()'", "collect2: error: ld returned 1 exit status"),
    ("g++, failed: ",),
)
RUSTC = Output(
    "cargo build --release",
    101,
    """\
   Compiling shop v0.1.0 (/app)
error[E0308]: mismatched types
  --> src/price.rs:12:18
   |
12 |     let p: u32 = "ten";
   |            ---   ^^^^^ expected `u32`, found `&str`

warning: unused import: `std::fmt`
 --> src/main.rs:1:5

error: could not compile `shop` (bin "shop") due to 1 previous error; 1 warning emitted
""",
    ("error[E0308]: mismatched types [src/price.rs:12]", "could not compile `shop`", "Warnings: 1 line"),
    ("cargo build, failed: error[E0308]: mismatched types",),
)  # fmt: skip
TSC = Output(
    "npx tsc --noEmit",
    2,
    "src/cart.ts(14,5): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/cart.ts(20,1): error "
    "TS2304: Cannot find name 'totl'.\n",
    ("error TS2322: Type 'string' is not assignable to type 'number'. [src/cart.ts(14,5)]", "TS2304", "Errors (2):"),
    ("tsc, failed: error TS2322",),
)  # fmt: skip
ESLINT = Output(
    "npx eslint src",
    1,
    "\n/app/src/cart.js\n   3:7   error    'total' is assigned a value but never used  no-unused-vars\n  10:12  "
    "warning  Unexpected console statement                no-console\n\n✖ 2 problems (1 error, 1 warning)\n",
    ("'total' is assigned a value but never used (no-unused-vars) "
     "[/app/src/cart.js:3:7]", "✖ 2 problems (1 error, 1 warning)"),
    ("eslint, failed: 'total' is assigned",),
)  # fmt: skip
MYPY = Output(
    "uv run mypy src",
    1,
    'src/cart.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]\nsrc/cart.py:9: '
    'note: See docs\nFound 1 error in 1 file (checked 12 source files)\n',
    ('Incompatible return value type (got "str", expected "int") [return-value] '
     '[src/cart.py:3]', "Found 1 error in 1 file (checked 12 source files)"),
    ("mypy, failed: error: Incompatible return value type",),
)  # fmt: skip
RUFF = Output(
    "ruff check .",
    1,
    "F401 [*] `os` imported but unused\n --> app/cart.py:1:8\n  |\n1 | import os\n  |        ^^\n\nFound 1 "
    "error.\n[*] 1 fixable with the `--fix` option.\n",
    ("F401 [*] `os` imported but unused", "Found 1 error."),
    ("ruff check, failed: ",),
)
MAVEN_COMPILE = Output(
    "mvn compile",
    1,
    "[INFO] BUILD FAILURE\n[ERROR] COMPILATION ERROR :\n[ERROR] /app/src/main/java/Shop.java:[12,9] cannot find "
    "symbol\n[ERROR] -> [Help 1]\n",
    ("cannot find symbol [/app/src/main/java/Shop.java:[12,9]]", "BUILD FAILURE"),
    ("mvn compile, failed: cannot find symbol",),
)  # fmt: skip
DOCKER = Output(
    "docker build -t shop .",
    1,
    "#7 [3/5] RUN pip install -r requirements.txt\n#7 2.1 ERROR: No matching distribution found for torch==9.9\n#7 "
    'ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: '
    '1\n------\nERROR: failed to solve: process "/bin/sh -c pip install -r requirements.txt" did not complete '
    "successfully: exit code: 1\n",
    ("No matching distribution found for torch==9.9", "failed to solve"),
    ("docker build, failed: ",),
)
GIT_MERGE = Output(
    "git merge feature",
    1,
    "Auto-merging src/cart.py\nCONFLICT (content): Merge conflict in src/cart.py\nCONFLICT (modify/delete): "
    "docs/old.md deleted in HEAD and modified in feature.\nAutomatic merge failed; fix conflicts and then commit the "
    "result.\n",
    ("CONFLICT (content): Merge conflict in src/cart.py", "docs/old.md deleted", "Automatic merge failed"),
    ("git merge, failed: CONFLICT (content): Merge conflict in src/cart.py",),
)  # fmt: skip
CURL = Output(
    "curl -sS https://api.example.com",
    6,
    "curl: (6) Could not resolve host: api.example.com\n",
    ("curl: (6) Could not resolve host: api.example.com",),
    ("curl, failed: curl: (6) Could not resolve host",),
)
HTTP = Output(
    "curl -i http://localhost:8000/a",
    0,
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 5\r\nServer: nginx\r\n\r\nbusy\r\n",
    ("HTTP/1.1 503 Service Unavailable",),
    ("curl, HTTP/1.1 503 Service Unavailable",),
)
JAVA = Output(
    "java -jar app.jar",
    1,
    """\
Exception in thread "main" org.example.StartupException: cannot start
\tat org.example.App.start(App.java:31)
\tat org.example.App.main(App.java:12)
Caused by: java.net.BindException: Address already in use
\tat java.base/sun.nio.ch.Net.bind0(Native Method)
\tat org.example.Server.open(Server.java:77)
\t... 2 more
""",
    ("java.net.BindException: Address already in use "
     "[Server.java:77]", "org.example.StartupException: cannot start [App.java:31]"),
    ("java, failed: java.net.BindException: Address already in use",),
)  # fmt: skip
NODE = Output(
    "node server.js",
    1,
    """\
/app/src/config.js:7
  return settings.port.value;
                       ^

TypeError: Cannot read properties of undefined (reading 'value')
    at port (/app/src/config.js:7:24)
    at Object.<anonymous> (/app/server.js:3:1)
    at Module._compile (node:internal/modules/cjs/loader:1364:14)

Node.js v20.11.0
""",
    ("TypeError: Cannot read properties of undefined (reading 'value') [/app/src/config.js:7]",),
    ("node server.js, failed: TypeError: Cannot read properties of undefined",),
)
GO_PANIC = Output(
    "go run .",
    2,
    "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 "
    "[running]:\nmain.main()\n\t/app/main.go:9 +0x1d\nexit status 2\n",
    ("panic: runtime error: index out of range [5] with length 3 [/app/main.go:9]",),
    ("go run, failed: panic: runtime error: index out of range",),
)
PYTHON = Output(
    "python import_data.py",
    1,
    """\
Traceback (most recent call last):
  File "/app/import_data.py", line 8, in load
    return json.loads(text)
  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/import_data.py", line 20, in <module>
    main()
  File "/app/import_data.py", line 15, in main
    raise BadFile(f"не читается: {path}")
__main__.BadFile: не читается: данные.json
""",
    ("__main__.BadFile: не читается: данные.json "
     "[/app/import_data.py:15]", "JSONDecodeError: Expecting value: line 1 column 1 (char 0) [/app/import_data.py:8]"),
    ("python import_data.py, failed: __main__.BadFile: не читается: данные.json",),
)  # fmt: skip
SHELL = Output(
    "./deploy.sh",
    127,
    "deploying…\n./deploy.sh: line 4: kubectx: command not found\ncp: cannot stat 'dist': No such file or directory\n",
    ("kubectx: command not found", "cp: cannot stat 'dist': No such file or directory"),
    ("deploy.sh, failed: ", "kubectx: command not found"),
)
SERVICE = Output(
    "kubectl logs web-1",
    0,
    "".join(f"2024-05-01T10:00:{second:02}Z INFO  [web] GET /items/{second} 200\n" for second in range(40))
    + "2024-05-01T10:01:00Z ERROR [db] connection to 10.0.0.7:5432 lost\n2024-05-01T10:01:01Z ERROR [db] connection "
      "to 10.0.0.8:5432 lost\n",
    ("connection to 10.0.0.7:5432 lost", "(×2)", "From 2024-05-01T10:00:00 to 2024-05-01T10:01:01"),
    ("kubectl logs, ", "connection to 10.0.0.7:5432 lost"),
)  # fmt: skip
PYTEST_ERROR = Output(
    "pytest --tb=short",
    1,
    "____ test_admin ____\napp/settings.py:9: in load\n    raise ImproperlyConfigured(name)\nE   "
    "django.core.exceptions.ImproperlyConfigured: SECRET_KEY is empty\n=== 1 failed in 0.20s ===\n",
    ("- test_admin", "django.core.exceptions.ImproperlyConfigured: SECRET_KEY is empty", "1 failed in 0.20s"),
    ("pytest, 1 failed: test_admin",),
)  # fmt: skip
PIP_BUILD = Output(
    "pip install broken",
    1,
    "Collecting broken\n  error: subprocess-exited-with-error\n  \n  × python setup.py egg_info did not run "
    "successfully.\n  │ exit code: 1\n  ╰─> [1 lines of output]\n      ModuleNotFoundError: No module named 'numpy'\n "
    "     [end of output]\nerror: metadata-generation-failed\n",
    ("ModuleNotFoundError: No module named 'numpy'", "error: metadata-generation-failed"),
    ("pip install, ", "ModuleNotFoundError: No module named 'numpy'"),
)  # fmt: skip
EXCEPTION_GROUP = Output(
    "python tasks.py",
    1,
    """\
  + Exception Group Traceback (most recent call last):
  |   File "/app/tasks.py", line 9, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/tasks.py", line 5, in fetch
    |     raise Closed("verbinding weg")
    | __main__.Closed: verbinding weg
    +------------------------------------
""",
    ("__main__.Closed: verbinding weg [/app/tasks.py:5]",),
    ("python tasks.py, failed: __main__.Closed: verbinding weg",),
)
KILLED = Output("python train.py", 137, "epoch 1\nepoch 2\nKilled\n", ("Killed", "exit code 137"), ("failed: Killed",))
OUTPUTS = {name.lower(): value for name, value in [*globals().items()] if isinstance(value, Output)}
