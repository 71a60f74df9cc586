"""Types of documents that are read, and the file extensions that each has."""

from types import MappingProxyType

MARKDOWN, PLAIN, HTML, PDF = "text/markdown", "text/plain", "text/html", "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
# Types that a separate process reads and converts to Markdown.
CONVERTED = frozenset({HTML, PDF, DOCX})
# Types of source code, each with the file extensions that it has.
_CODE = {
    "text/x-python": "py pyi",
    "text/javascript": "js mjs cjs jsx",
    "text/x-typescript": "ts mts cts tsx",
    "text/x-go": "go",
    "text/x-java": "java",
    "text/x-kotlin": "kt kts",
    "text/x-scala": "scala",
    "text/x-rust": "rs",
    "text/x-c": "c h",
    "text/x-c++": "cc cpp cxx hh hpp hxx",
    "text/x-csharp": "cs",
    "text/x-ruby": "rb",
    "text/x-php": "php",
    "text/x-swift": "swift",
    "text/x-shellscript": "sh bash zsh",
    "text/x-sql": "sql",
    "text/x-protobuf": "proto",
}
_TEXTS = {
    MARKDOWN: "md markdown mdown mkd",
    PLAIN: "txt text log csv tsv rst adoc org tex ini cfg conf",
    HTML: "html htm xhtml",
    PDF: "pdf",
    DOCX: "docx",
    "application/json": "json jsonl ndjson",
    "application/yaml": "yaml yml",
    "application/toml": "toml",
    "application/xml": "xml",
}
BY_EXTENSION = MappingProxyType({end: kind for kind, ends in (_CODE | _TEXTS).items() for end in ends.split()})
CODE = frozenset(_CODE)
