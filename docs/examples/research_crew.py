"""A research crew: the scout hands over to the writer what it decided, what is open, and where to read on.

`python docs/examples/research_crew.py`. The server is empty and gone afterwards: no key is needed.
"""

from camillo.v1.context_pb2 import HandoffPacket
from camillo_client.testing import ScriptedModel, server_for_tests

with server_for_tests() as server, server.new_tenant(ScriptedModel()).connect() as camillo:
    project = camillo.for_project("tea-report")
    scout, writer = camillo.for_space("scout"), camillo.for_space("writer")

    # The scout works: what it finds is the project's, what it decides rests on that.
    project.remember("Assam is harvested from March to November", tags=["finding"])
    seen = scout.remember("Only Assam and Darjeeling publish their harvests")
    decision = scout.decisions.record("Compare Assam with Darjeeling", refs=[seen.memory_id])
    task = scout.tasks.open("Write the chapter on harvests")
    writer.context.accept_handoffs(["scout"])
    packet = HandoffPacket(
        goal="Finish the report on tea",
        note="Findings are in projects/tea-report",
        decision_ids=[decision.decision_id],
        task_ids=[task.task_id],
    )
    scout.context.hand_off("writer", packet)

    # The writer begins, and has seen nothing of that.
    [handed] = writer.context.handoffs()
    print(f"from {handed.from_agent_id}:")
    print(handed.text)
    reads = writer.with_spaces(read=["projects/tea-report"])
    print("knows:", [hit.text for hit in reads.recall("when is Assam harvested?").hits])
    chapter = writer.tasks.open("Write the chapter on harvests")
    done = writer.tasks.update(chapter.task_id, chapter.version, status="done")
    print("chapter done, version", done.version)
