"""Source code in passages along its definitions."""

import ast
from collections.abc import Iterator
from pathlib import Path

from camillo_formats.media_types import CODE
from camillo_server.features.knowledge.passages.definitions import definition_sections
from camillo_server.features.knowledge.passages.passages import document_passages

from tests.cases import each_case
from tests.python_sources import parsed

ROOT = Path(__file__).parents[3]

SOURCES = {
    "text/x-go": (
        "package a\n\n// Run runs.\nfunc (s *Server) Run(x int) error {\n\tif x {\n\t}\n}\n\ntype T struct {\n\ta "
        "int\n}\n\nfunc main() {\n}\n",
        {"Server.Run": "// Run runs.", "T": "type T struct {", "main": "func main() {"},
    ),
    "text/x-java": (
        "package a;\n\n/** 差旅 */\n@Any\npublic class Foo<T> extends Bar {\n    private int x = f(1);\n    public "
        "Foo(int a) {\n    }\n\n"
        "    @Override\n    public List<String> run(int a) throws E {\n        return g(a);\n    }\n    static class "
        "Inner {\n        void go() {}\n    }\n}\n",
        {
            "Foo": "/** 差旅 */",
            "Foo > Foo": "    public Foo(int a) {",
            "Foo > run": "    @Override",
            "Foo > Inner": "    static class Inner {",
            "Foo > Inner > go": "        void go() {}",
        },
    ),
    "text/x-typescript": (
        "import x from 'y';\nexport class A<T> {\n  private x = 1;\n  constructor(a: string) {\n    if (a) {\n    }\n "
        " }\n"
        "  async run(b: number): Promise<void> {\n    await foo(b);\n  }\n}\nexport const f = async (a: string) => "
        "{\n  return 1;\n};\nfunction g() {\n}\n",
        {
            "A": "export class A<T> {",
            "A > constructor": "  constructor(a: string) {",
            "A > run": "  async run(b: number): Promise<void> {",
            "f": "export const f = async (a: string) => {",
            "g": "function g() {",
        },
    ),
    "text/x-rust": (
        "use a;\n/// Doc\n#[derive(Debug)]\npub struct A {\n  x: i32,\n}\nimpl<T> Show for A<T> {\n    pub fn new(x: "
        "i32) -> Self {\n        if x {}\n    }\n}\n"
        "pub(crate) async fn go() {}\n",
        {
            "A": "/// Doc",
            "Show for A<T>": "impl<T> Show for A<T> {",
            "Show for A<T> > new": "    pub fn new(x: i32) -> Self {",
            "go": "pub(crate) async fn go() {}",
        },
    ),
    "text/x-c": (
        "#include <a>\n\nstruct x {\n  int a;\n};\n/* doc */\nstatic int foo(struct x *y)\n{\n#ifdef A\n  "
        "bar();\n#endif\n  return 1;\n}\n",
        {"x": "struct x {", "foo": "/* doc */"},
    ),
    "text/x-c++": (
        "#include <a>\nnamespace n {\n\nclass A : public B {\n public:\n  int get() const {\n    return x;\n  }\n};\n\n"
        "template <typename T>\nstd::vector<T> A::run(int a,\n   int b) {\n  foo(a);\n}\n}\nint main(int argc, char "
        "**argv)\n{\n  return 0;\n}\n",
        {
            "n": "namespace n {",
            "A": "class A : public B {",
            "A > get": "  int get() const {",
            "A::run": "template <typename T>",
            "main": "int main(int argc, char **argv)",
        },
    ),
}


@each_case(("media_type", "source"), SOURCES.items(), ids=SOURCES)
def test_definitions_are_found_with_the_comments_above_them(
    media_type: str, source: tuple[str, dict[str, str]]
) -> None:
    code, told = source
    found = definition_sections(code, media_type)[1:]
    lines = {" > ".join(each.trail): code[each.start :].partition("\n")[0] for each in found}
    assert {name: line for name, line in lines.items() if name} == told


def test_those_of_this_repository_are_those_that_python_finds() -> None:
    expected, found = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for path in sorted((ROOT / "server").rglob("*.py")):
        code = path.read_text()
        expected |= {(str(path), *trail) for trail in _definitions(parsed(code), ())}
        sections = definition_sections(code, "text/x-python")
        found |= {(str(path), *each.trail) for each in sections if each.trail}
    assert len(expected) > 3_000
    assert len(expected ^ found) < len(expected) / 500


def test_a_function_is_a_passage_below_its_class() -> None:
    body = "".join(f"        value_{n} = compute(source, {n})\n" for n in range(22))
    code = (
        f"import os\n\n\nclass 差旅:\n    def pay(self):\n{body}\n    @cached\n    def book(self):\n{body}\n\nif "
        f"main:\n    run()\n"
    )
    passages = document_passages(code, "text/x-python")
    assert [each.heading for each in passages] == ["", "差旅 > pay", "差旅 > book", ""]
    assert passages[1].text.startswith("class 差旅:\n    def pay(self):\n")
    book = passages[2]
    assert book.text.startswith("差旅\n    @cached\n    def book(self):\n")


@each_case("media_type", sorted(CODE))
def test_any_text_is_taken_as_code(media_type: str) -> None:
    for text in ("", "\n", "\x1b[0m", "}" * 5_000, "class\n" * 500, " " * 5_000 + "x", "def f" * 1_000):
        passages = document_passages(text, media_type)
        assert bool(passages) == bool(text.strip())


def _definitions(node: ast.AST, trail: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield (*trail, child.name)
            yield from _definitions(child, (*trail, child.name))
        else:
            yield from _definitions(child, trail)
