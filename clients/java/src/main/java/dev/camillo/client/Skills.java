package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.DeleteSkillRequest;
import dev.camillo.v1.GetSkillRequest;
import dev.camillo.v1.KnowledgeServiceGrpc;
import dev.camillo.v1.ListSkillsRequest;
import dev.camillo.v1.ListSkillsResponse;
import dev.camillo.v1.PutSkillRequest;
import dev.camillo.v1.PutSkillResponse;
import dev.camillo.v1.Skill;
import java.util.function.Consumer;

/**
 * Skills: instructions that an agent loads by name, a SKILL.md each. Failures are {@link
 * CamilloError}.
 */
public final class Skills {
  private final UnaryCalls unary;

  Skills(UnaryCalls unary) {
    this.unary = unary;
  }

  /**
   * Stores a skill of the agent's own, or its next version; the same text stores nothing. A secret
   * in it is refused.
   */
  public PutSkillResponse put(String text) {
    return put(text, options -> {});
  }

  /**
   * As the other, with a level, a name for a text that has none and so on; VersionConflict where
   * the skill does not have the version that is demanded, which is 0 for one that is not there.
   */
  public PutSkillResponse put(String text, Consumer<PutSkillRequest.Builder> options) {
    PutSkillRequest.Builder request = PutSkillRequest.newBuilder().setText(text);
    options.accept(request);
    return unary.call(KnowledgeServiceGrpc.getPutSkillMethod(), request.build());
  }

  /**
   * A skill by its name, with its text: the agent's own, else the tenant's, else the global one;
   * SkillNotFound if there is none.
   */
  public Skill get(String name) {
    return get(name, options -> {});
  }

  /** As the other, of a level or a version. */
  public Skill get(String name, Consumer<GetSkillRequest.Builder> options) {
    GetSkillRequest.Builder request = GetSkillRequest.newBuilder().setName(name);
    options.accept(request);
    return unary.call(KnowledgeServiceGrpc.getGetSkillMethod(), request.build()).getSkill();
  }

  /** The skills of the agent, without their texts, by name: each name once. */
  public Series<Skill> list() {
    return list(options -> {});
  }

  /** As the other, of one level. */
  public Series<Skill> list(Consumer<ListSkillsRequest.Builder> options) {
    ListSkillsRequest.Builder request = ListSkillsRequest.newBuilder();
    options.accept(request);
    return new Series<>(
            new Pages<>(unary, KnowledgeServiceGrpc.getListSkillsMethod(), request.build()),
            () -> {})
        .parts(ListSkillsResponse::getSkillsList);
  }

  /** Removes a skill of the agent's own, with its versions. */
  public void delete(String name) {
    delete(name, options -> {});
  }

  /** As the other, of one level. */
  public void delete(String name, Consumer<DeleteSkillRequest.Builder> options) {
    DeleteSkillRequest.Builder request = DeleteSkillRequest.newBuilder().setName(name);
    options.accept(request);
    unary.call(KnowledgeServiceGrpc.getDeleteSkillMethod(), request.build());
  }
}
