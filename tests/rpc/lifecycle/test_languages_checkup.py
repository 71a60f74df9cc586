"""The doctor measures whether stored texts are in a language that the model knows."""

import psycopg
from camillo_server.cli.doctor import Finding, Status
from camillo_server.cli.doctor.languages import MULTILINGUAL, check_languages, is_english
from camillo_server.models.embedding.model_catalogue import CATALOGUE

from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server, StartServer

OF_ENGLISH, OF_MANY = "all-minilm-l6-v2-0123456789ab", f"{MULTILINGUAL}-0123456789ab"
ENGLISH = ("The zebra is patient.", "I live in Kraków, by the river 🦓", "deploy app/userStore.py with retries=3")
OTHERS = ("耐心的斑马", "Das Zebra ist geduldig und wohnt bei mir.", "הזברה סבלנית", "ज़ेबरा धैर्यवान है", "زيبرا صبور")


def finding(server: Server, model_id: str) -> Finding:
    with psycopg.connect(server.database.server_url, autocommit=True) as connection:
        return check_languages(connection, model_id)


async def test_the_doctor_names_a_model_where_many_texts_are_not_english(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical", "embedding_dimensions": None})
    assert finding(server, OF_ENGLISH).what == "no text is stored that can be read"
    for text in (*ENGLISH, OTHERS[0]):
        await remember(server.alice, text)
    found = finding(server, OF_ENGLISH)
    assert (found.status, found.what) == (Status.OK, "1 of 4 stored texts that were read are not English")
    for text in OTHERS[1:]:
        await remember(server.alice, text)
    found = finding(server, OF_ENGLISH)
    assert found.status is Status.WARN
    assert found.what.startswith("5 of 8 stored texts that were read are not English")
    assert f"camillo models pull {MULTILINGUAL}" in found.text
    for other in (OF_MANY, "lexical-3-960", "litellm-openai/text-embedding-3-small-1536", ""):
        assert finding(server, other).status is Status.OK


def test_scripts_and_function_words_tell_what_is_not_english() -> None:
    assert [text for text in ENGLISH if not is_english(text)] == []
    assert [text for text in (*OTHERS, "Я живу у реки", "¿Dónde está la tortuga?") if is_english(text)] == []
    assert CATALOGUE[MULTILINGUAL].languages == "many"
