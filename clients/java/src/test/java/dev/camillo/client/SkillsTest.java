package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.SkillNotFound;
import dev.camillo.client.errors.VersionConflict;
import dev.camillo.v1.DeleteSkillRequest;
import dev.camillo.v1.DeleteSkillResponse;
import dev.camillo.v1.GetSkillRequest;
import dev.camillo.v1.GetSkillResponse;
import dev.camillo.v1.KnowledgeServiceGrpc;
import dev.camillo.v1.ListSkillsRequest;
import dev.camillo.v1.ListSkillsResponse;
import dev.camillo.v1.PutSkillRequest;
import dev.camillo.v1.PutSkillResponse;
import dev.camillo.v1.Skill;
import dev.camillo.v1.SkillLevel;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Skills: put, read, listed and removed. */
class SkillsTest {
  private static final String TEXT = "---\nname: tea\ndescription: 泡茶 🍵\n---\nשלום e\u0301\n";
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).agentId("ada").connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void aSkillIsPutReadAndRemovedByItsName() {
    server.on(
        KnowledgeServiceGrpc.getPutSkillMethod(),
        ScriptedServer.messages(PutSkillResponse.newBuilder().setUnchanged(true).build()));
    server.on(
        KnowledgeServiceGrpc.getGetSkillMethod(),
        ScriptedServer.messages(GetSkillResponse.newBuilder().setSkill(skill("tea")).build()));
    server.on(
        KnowledgeServiceGrpc.getDeleteSkillMethod(),
        ScriptedServer.messages(DeleteSkillResponse.getDefaultInstance()));
    assertTrue(camillo.skills().put(TEXT).getUnchanged());
    Skill read =
        camillo.skills().get("tea", options -> options.setLevel(SkillLevel.SKILL_LEVEL_GLOBAL));
    assertEquals(TEXT, read.getText());
    camillo.skills().delete("tea");
    PutSkillRequest put = server.of(PutSkillRequest.class).get(0);
    assertEquals(List.of(TEXT, "ada"), List.of(put.getText(), put.getAgentId()));
    assertFalse(put.getRequestId().isEmpty());
    assertEquals(SkillLevel.SKILL_LEVEL_GLOBAL, server.of(GetSkillRequest.class).get(0).getLevel());
    assertEquals("tea", server.of(DeleteSkillRequest.class).get(0).getName());
  }

  @Test
  void whatASkillIsRefusedForIsTyped() {
    server.on(
        KnowledgeServiceGrpc.getPutSkillMethod(),
        ScriptedServer.broken(Refusals.of(Code.ABORTED, "VERSION_CONFLICT")));
    server.on(
        KnowledgeServiceGrpc.getGetSkillMethod(),
        ScriptedServer.broken(Refusals.of(Code.NOT_FOUND, "SKILL_NOT_FOUND")));
    assertThrows(
        VersionConflict.class,
        () -> camillo.skills().put(TEXT, options -> options.setExpectedVersion(0)));
    assertTrue(server.of(PutSkillRequest.class).get(0).hasExpectedVersion());
    assertThrows(SkillNotFound.class, () -> camillo.skills().get("tea"));
  }

  @Test
  void skillsAreListedOverAllPages() {
    server.on(
        KnowledgeServiceGrpc.getListSkillsMethod(),
        ScriptedServer.messages(
            ListSkillsResponse.newBuilder()
                .addSkills(skill("coffee"))
                .setNextPageToken("p2")
                .build()),
        ScriptedServer.messages(ListSkillsResponse.newBuilder().addSkills(skill("tea")).build()));
    assertEquals(List.of("coffee", "tea"), camillo.skills().list().map(Skill::getName).toList());
    assertEquals("p2", server.of(ListSkillsRequest.class).get(1).getPageToken());
  }

  private static Skill skill(String name) {
    return Skill.newBuilder().setName(name).setText(TEXT).build();
  }
}
