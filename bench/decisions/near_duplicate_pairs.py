"""Pairs of sentences for `near_duplicates`: what says the same, and what only looks as if it did."""

from collections.abc import Mapping, Sequence

Pair = tuple[str, str]

_TOLD = (
    "The user prefers dark mode in the editor",
    "Anna moved from Lisbon to Berlin because of her new job",
    "The nightly build fails when the cache directory is missing",
    "Customers complained about slow checkout pages on mobile phones",
    "The team agreed to write every design document in Markdown",
    "Der Nutzer möchte Rechnungen immer als PDF bekommen",
    "Die Wartung der Datenbank findet sonntags in der Nacht statt",
    "El cliente prefiere que le escriban por correo y no por teléfono",
    "La utilisatrice apprend le piano depuis le printemps",
    "Пользователь любит короткие ответы без вступлений",
    "用户喜欢在编辑器里使用深色模式",
    "团队决定每周三下午在大会议室开会",
    "ユーザーは返事を短くしてほしいと言っている",
    "يفضل المستخدم الردود القصيرة باللغة العربية",
    "משתמשת מעדיפה תזכורות בשעות הבוקר",
    "उपयोगकर्ता को सुबह चाय पीना पसंद है",
)
_REWORDED: Sequence[Pair] = (
    ("The user prefers dark mode in the editor", "User prefers the dark mode in the editor"),
    ("The user prefers dark mode in the editor", "In the editor, the user prefers dark mode"),
    ("The user prefers dark mode in the editor", "The user likes dark mode best in the editor"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Because of her new job, Anna moved from Lisbon to Berlin"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Anna relocated from Lisbon to Berlin for her new job"),
    ("The nightly build fails when the cache directory is missing", "When the cache directory is missing, the nightly build fails"),
    ("The nightly build fails when the cache directory is missing", "Nightly builds fail if the cache directory is missing"),
    ("Customers complained about slow checkout pages on mobile phones", "Customers have complained about slow checkout pages on phones"),
    ("The team agreed to write every design document in Markdown", "The team agreed to write all design documents in Markdown"),
    ("Der Nutzer möchte Rechnungen immer als PDF bekommen", "Der Nutzer will Rechnungen immer als PDF bekommen"),
    ("El cliente prefiere que le escriban por correo y no por teléfono", "El cliente prefiere correo y no teléfono"),
    ("用户喜欢在编辑器里使用深色模式", "用户喜欢在编辑器中用深色模式"),
    ("يفضل المستخدم الردود القصيرة باللغة العربية", "المستخدم يفضل الردود القصيرة باللغة العربية"),
)  # fmt: skip
_OTHERS: Sequence[Pair] = (
    ("The user prefers dark mode in the editor", "The user prefers light mode in the editor"),
    ("The user prefers dark mode in the editor", "The user does not prefer dark mode in the editor"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Anna moved from Berlin to Lisbon because of her new job"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Carla moved from Lisbon to Berlin because of her new job"),
    ("The nightly build fails when the cache directory is missing", "The nightly build passes when the cache directory is missing"),
    ("Customers complained about slow checkout pages on mobile phones", "Customers complained about slow search pages on mobile phones"),
    ("The team agreed to write every design document in Markdown", "The team refused to write every design document in Markdown"),
    ("Der Nutzer möchte Rechnungen immer als PDF bekommen", "Der Nutzer möchte Rechnungen nie als PDF bekommen"),
    ("El cliente prefiere que le escriban por correo y no por teléfono", "El cliente prefiere que le escriban por teléfono y no por correo"),
    ("用户喜欢在编辑器里使用深色模式", "用户不喜欢在编辑器里使用深色模式"),
    ("团队决定每周三下午在大会议室开会", "团队决定每周四上午在小会议室开会"),
    ("يفضل المستخدم الردود القصيرة باللغة العربية", "يفضل المستخدم الردود الطويلة باللغة العربية"),
)  # fmt: skip
_FIGURES: Sequence[Pair] = tuple(
    (template.format(one), template.format(other))
    for one, other in (("400", "500"), ("17", "71"), ("3", "4"))
    for template in (
        "The budget of the project was set to {} EUR by the board",
        "Invoice {} was sent to the customer and paid in time",
        "Die Sitzung dauert {} Stunden und findet im großen Saal statt",
        "项目预算定为{}欧元",
        "الميزانية هي {} يورو",
    )
)


def _respelled() -> Sequence[Pair]:
    respellings = (
        lambda text: f"{text}.",
        lambda text: text[:1].lower() + text[1:],
        lambda text: text.replace(" ", "  "),
        lambda text: f"Note: {text}" if text.isascii() else f"「{text}」",
    )
    return tuple((text, respelled(text)) for text in _TOLD for respelled in respellings)


PAIRS: Mapping[str, Sequence[Pair]] = {
    "respelled": _respelled(),
    "reworded": _REWORDED,
    "another thing": _OTHERS,
    "another figure": _FIGURES,
}
