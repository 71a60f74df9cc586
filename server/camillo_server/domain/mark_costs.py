"""What runs of marks of ASCII, and of white space, cost in tokens.

Program text, JSON and Markdown repeat a few combinations of marks, which vocabularies hold whole. Others fall apart
about where one mark gives way to another.
"""

from itertools import pairwise

_WHOLE_RUNS = r"""
": ", "," ":" =" (" ") {" "} [" "] \" =\" ," :" "}, ("/ "> "/ ': ', '] [' (' ') =' `, ."
:: // /// /* */ ** *** -- --- ... == === != <= >= => -> += ++ && || << >> </ /> >< .. || ## ### #### `` ```
() (); () ); ), ). ): )) (( ([ ]) ], ]. [] {} ({ }) }, }; {{ }} [[ ]] :** **: __ ._ _, (_ (__ :// "))
"""
_WHOLE = frozenset(_WHOLE_RUNS.split())

# For the first change of mark in a run, and each further one; of white space, for two changes.
_FIRST_CHANGE = 0.12
_NEXT_CHANGE = 0.55
_TWO_CHANGES_OF_SPACE = 0.5


def marks_cost(piece: str) -> float:
    """Beyond the first token, of a run of marks with the space before it and the ends of lines after it."""
    marks = piece.strip()
    if marks in _WHOLE:
        return 0.0
    changes = _changes(marks)
    extra = _FIRST_CHANGE + (changes - 1) * _NEXT_CHANGE if changes else 0.0
    # A run of one mark is an entry in many lengths, but not with the end of a line.
    return extra + (len(marks) > 4 and piece[-1] in "\r\n")


def space_cost(piece: str) -> float:
    """Beyond the first token, of a run of white space."""
    return _TWO_CHANGES_OF_SPACE * (_changes(piece) // 2)


def _changes(run: str) -> int:
    return sum(first != second for first, second in pairwise(run))
