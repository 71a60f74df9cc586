import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import { enumNumber, type NameOf } from "./enum-names.js";
import type { CamilloError } from "./errors/camillo-error.js";
import {
  type Skill,
  type SkillLevel,
  SkillLevelSchema,
} from "./generated/camillo/v1/knowledge_pb.js";
import {
  KnowledgeService,
  type PutSkillResponse,
} from "./generated/camillo/v1/knowledge_service_pb.js";
import { pages } from "./pages.js";
import { Part, present } from "./part.js";

/** Whose a skill is, by name or number. */
export type SkillLevelLike = NameOf<typeof SkillLevel> | SkillLevel;

/** How a skill is put. */
export interface PutSkillOptions extends WriteOptions {
  /** Default: the agent's own, or for `SHARED` the tenant's. */
  level?: SkillLevelLike;
  /** For a text without a front matter, such as AGENTS.md. */
  name?: string;
  /** Likewise. */
  description?: string;
  /** VersionConflict where the skill has another version; 0: where it has any. */
  expectedVersion?: bigint | number;
}

/** How a skill is read. */
export interface GetSkillOptions extends CallOptions {
  /** Default: the nearest that there is: the agent's own, else the tenant's, else the global one. */
  level?: SkillLevelLike;
  /** An earlier version of that level; default: the newest. */
  version?: bigint | number;
}

/** Skills: instructions that an agent loads by name, a SKILL.md each. Failures are {@link CamilloError}s. */
export class Skills extends Part {
  /** Stores a skill, or its next version; the same text stores nothing. A secret in it is refused. */
  async put(text: string, options: PutSkillOptions = {}): Promise<PutSkillResponse> {
    const { requestId = "", name = "", description = "", expectedVersion } = options;
    const request = {
      requestId,
      level: levelOf(options),
      text,
      name,
      description,
      ...(expectedVersion === undefined ? {} : { expectedVersion: BigInt(expectedVersion) }),
    };
    return this.calls.unary(KnowledgeService.method.putSkill, request, callOptions(options));
  }

  /** A skill by its name, with its text; SkillNotFound if there is none. */
  async get(name: string, options: GetSkillOptions = {}): Promise<Skill> {
    const { version } = options;
    const request = {
      name,
      level: levelOf(options),
      ...(version === undefined ? {} : { version: BigInt(version) }),
    };
    const { getSkill } = KnowledgeService.method;
    return present((await this.calls.unary(getSkill, request, callOptions(options))).skill);
  }

  /** The skills of the agent, without their texts, by name: each name once, or all of a level. */
  async *list(
    options: CallOptions & { level?: SkillLevelLike; pageSize?: number } = {},
  ): AsyncGenerator<Skill, void, undefined> {
    const request = { level: levelOf(options), pageSize: options.pageSize ?? 0 };
    const { listSkills } = KnowledgeService.method;
    for await (const page of pages(this.calls, listSkills, request, callOptions(options))) {
      yield* page.skills;
    }
  }

  /** Removes a skill of one level, by default the agent's own, with its versions. */
  async delete(
    name: string,
    options: WriteOptions & { level?: SkillLevelLike } = {},
  ): Promise<void> {
    const request = { requestId: options.requestId ?? "", name, level: levelOf(options) };
    await this.calls.unary(KnowledgeService.method.deleteSkill, request, callOptions(options));
  }
}

function levelOf({ level = 0 }: { level?: SkillLevelLike }): SkillLevel {
  return enumNumber(SkillLevelSchema, level);
}
