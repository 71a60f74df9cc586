"""Skills in bundles: whole where they are named, never cut; a line each where they are listed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from camillo_server.across.context import candidates
from camillo_server.across.context.bundle import Candidate
from camillo_server.across.context.recipe import Overflow, Recipe, SectionRecipe, SectionSource
from camillo_server.across.context.recipe_parsing import MAX_TOKENS, PRIORITIES
from camillo_server.features.knowledge.skill import Skill
from camillo_server.kernel.errors import NotFound

SECTION = "skills"


def with_skills(recipe: Recipe, names: Sequence[str]) -> Recipe:
    """The recipe with these skills loaded whole in its first section that never cuts any; without such a section, in
    one behind the other stable sections."""
    sections = list(recipe.sections)
    named = {name for each in sections for name in each.names}
    added = tuple(name for name in names if name not in named)
    for index, each in enumerate(sections):
        if each.source is SectionSource.SKILLS and each.overflow is Overflow.KEEP:
            sections[index] = replace(each, names=(*each.names, *added))
            return replace(recipe, sections=tuple(sections))
    place = sum(each.is_stable for each in sections)
    sections.insert(place, _section({each.name for each in sections}, added))
    return replace(recipe, sections=tuple(sections))


def _section(taken: set[str], names: tuple[str, ...]) -> SectionRecipe:
    name = SECTION
    while name in taken:
        name += "_"
    return SectionRecipe(
        name=name,
        title="Skills",
        source=SectionSource.SKILLS,
        budget=0,
        most=MAX_TOKENS,
        priority=PRIORITIES[1],
        overflow=Overflow.KEEP,
        is_stable=True,
        names=names,
    )


def require_skills(recipe: Recipe, skills: Sequence[Skill]) -> None:
    """Raises NotFound where a skill that a section names is not there, or may not be loaded."""
    names = {skill.name for skill in skills}
    for section in recipe.sections:
        for name in section.names:
            if name not in names:
                raise NotFound("skill", name)


def skills_of(section: SectionRecipe, skills: Sequence[Skill]) -> Iterator[Candidate]:
    """The skills that the section names, in its order, then a line for each that no section loads whole."""
    known = {skill.name: skill for skill in skills}
    for name in section.names:
        yield candidates.of_skill(known[name], is_whole=True)
    listed = [skill for skill in skills if not skill.text]
    for skill in listed[: section.listed]:
        yield candidates.of_skill(skill, is_whole=False)
