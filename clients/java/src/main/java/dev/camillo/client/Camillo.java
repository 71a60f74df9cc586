package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.AdminServiceGrpc;
import dev.camillo.v1.Contradiction;
import dev.camillo.v1.ForgetMemoriesRequest;
import dev.camillo.v1.ForgetMemoriesResponse;
import dev.camillo.v1.ListContradictionsRequest;
import dev.camillo.v1.ListContradictionsResponse;
import dev.camillo.v1.ListMemoriesRequest;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryChange;
import dev.camillo.v1.MemoryFilter;
import dev.camillo.v1.MemoryIds;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.NewMemory;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RecallResponse;
import dev.camillo.v1.SupersedeMemoryRequest;
import dev.camillo.v1.SupersedeMemoryResponse;
import dev.camillo.v1.WatchMemoriesRequest;
import dev.camillo.v1.WhoAmIRequest;
import dev.camillo.v1.WhoAmIResponse;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A memory service, as one credential sees it. To be shared between threads.
 *
 * <p>Reads see the writes that this client has completed, on whichever replica they land; one that
 * was spooled, see {@link Written}, once it is stored. Failures are {@link CamilloError}. Secrets
 * are never stored: of each one taken out, the logger {@code dev.camillo.client} warns.
 */
public final class Camillo implements AutoCloseable {
  /** Names, in place of an agent, the scope that all agents of the tenant share. */
  public static final String SHARED = "@shared";

  private final Connection connection;
  private final Settings settings;
  private final Calls calls;
  private final UnaryCalls unary;
  private final Memories memories;

  Camillo(Connection connection, Settings settings) {
    this.connection = connection;
    this.settings = settings;
    this.calls = new Calls(connection, settings);
    this.unary = new UnaryCalls(calls);
    this.memories = new Memories(calls, unary);
  }

  /**
   * A client of the server at CAMILLO_ADDRESS, or localhost:7070, with the key in CAMILLO_KEY, or
   * else the root key of a server of this user on this machine.
   */
  public static Camillo connect() {
    return builder().connect();
  }

  /** Says which server to talk to, and how. */
  public static CamilloBuilder builder() {
    return new CamilloBuilder(System.getenv());
  }

  /**
   * The same client, acting for another agent, or in the scope that all share with {@link #SHARED};
   * the empty one is the key's own agent, else the default one. It shares the connection: closing
   * either closes both.
   */
  public Camillo forAgent(String agentId) {
    return new Camillo(
        connection, settings.withAgentId(Objects.requireNonNull(agentId, "agentId")));
  }

  /** This client for the memories of one person, with an id without slashes; as forSpace. */
  public Camillo forUser(String userId) {
    return forSpace(Beside.ofUser(userId));
  }

  /** This client for one project, such as "shop" or "github.com/acme/shop"; as forSpace. */
  public Camillo forProject(String project) {
    return forSpace("projects/" + project);
  }

  /** This client for one team, such as "eu/ops"; as forSpace. */
  public Camillo forTeam(String team) {
    return forSpace("teams/" + team);
  }

  /** As forAgent, for a path such as "users/42", too; IllegalArgumentException if it is no space. */
  public Camillo forSpace(String space) {
    return forAgent(Beside.checked(space));
  }

  /**
   * This client, whose recalls and bundles read up to seven other spaces, and {@link #SHARED}, as
   * one collection with its own, each as fresh as what was written here. A request that names an
   * agent or spaces reads what it names. IllegalArgumentException if one is no space.
   */
  public Camillo withSpaces(Collection<String> read) {
    String own = settings.agentId();
    return new Camillo(connection, settings.inSpace(own, Beside.of(read, own)));
  }

  /** The same client with another timeout of calls that have one answer, repetitions included. */
  public Camillo withTimeout(Duration timeout) {
    return new Camillo(
        connection, settings.withTimeout(Objects.requireNonNull(timeout, "timeout")));
  }

  /**
   * The same client with a timeout of each connection of a stream, which has none unless it is
   * given here.
   */
  public Camillo withStreamTimeout(Duration timeout) {
    return new Camillo(connection, settings.withStreamTimeout(timeout));
  }

  /** Stores a fact, or adds to the memory that says exactly the same. */
  public Written<Memory> remember(String content) {
    return remember(content, fields -> {});
  }

  /** Stores one memory, with what else is stated about it: kind, tags, importance and so on. */
  public Written<Memory> remember(String content, Consumer<NewMemory.Builder> fields) {
    NewMemory.Builder memory = NewMemory.newBuilder().setContent(content);
    fields.accept(memory);
    return memories.remember(memory.build());
  }

  /**
   * The stored memory or an error for each, in the order given. Sent in batches of up to 1,000,
   * each one transaction with the timeout for itself. If one fails as a whole, its error is thrown
   * and those before it stay stored.
   */
  public List<Outcome<Memory>> rememberMany(Iterable<NewMemory> given) {
    return memories.rememberMany(given);
  }

  /** The memories that answer a text best, best first: 5. */
  public RecallResponse recall(String text) {
    return recall(text, options -> {});
  }

  /**
   * The memories that answer a text best, best first, with options: limit, filter, profile and so
   * on. Days begin and end in the machine's time zone unless they name one.
   */
  public RecallResponse recall(String text, Consumer<RecallRequest.Builder> options) {
    RecallRequest.Builder request = RecallRequest.newBuilder().setText(text);
    options.accept(request);
    if (request.getTimeZone().isEmpty()) {
      request.setTimeZone(LocalTimeZone.name());
    }
    return call(MemoryServiceGrpc.getRecallMethod(), request.build());
  }

  /**
   * Everything that the agent remembers, was done in the tenant, in workflows, or is written in its
   * documents; see the other.
   */
  public RecallResponse searchMyMemories(String query) {
    return searchMyMemories(query, options -> {});
  }

  /**
   * A recall from memories, audit entries, workflow steps and documents by the profile {@code
   * blended}, 5 hits, where the options do not say otherwise.
   */
  public RecallResponse searchMyMemories(String query, Consumer<RecallRequest.Builder> options) {
    return recall(query, request -> MyMemories.fill(request, options));
  }

  /** One memory, archived or not; MemoryNotFound if there is none. */
  public Memory get(String memoryId) {
    return memories.get(memoryId);
  }

  /**
   * Changes fields of a memory; VersionConflict if it is no longer at the version that the caller
   * has seen.
   */
  public Memory update(String memoryId, long expectedVersion, MemoryChanges changes) {
    return memories.update(memoryId, expectedVersion, changes);
  }

  /**
   * Puts a memory in the place of another, as the successor says since when; see the other.
   */
  public SupersedeMemoryResponse supersede(
      String memoryId, long expectedVersion, String successorId) {
    return supersede(memoryId, expectedVersion, successorId, options -> {});
  }

  /**
   * Puts a memory in the place of another, which stays readable as history; VersionConflict if that
   * is no longer at the version that the caller has seen, or was superseded already.
   */
  public SupersedeMemoryResponse supersede(
      String memoryId,
      long expectedVersion,
      String successorId,
      Consumer<SupersedeMemoryRequest.Builder> options) {
    SupersedeMemoryRequest.Builder request =
        SupersedeMemoryRequest.newBuilder()
            .setMemoryId(memoryId)
            .setExpectedVersion(expectedVersion)
            .setSuccessorId(successorId);
    options.accept(request);
    return call(MemoryServiceGrpc.getSupersedeMemoryMethod(), request.build());
  }

  /**
   * Pairs of memories that probably contradict each other, the newest first, among those that pass
   * the conditions. Nothing is changed by itself.
   */
  public Series<Contradiction> contradictions(Consumer<MemoryFilter.Builder> conditions) {
    return contradictions(conditions, false);
  }

  /**
   * These pairs; with {@code judge}, the server's language model says of each what it thinks of it,
   * and proposes others. That costs money of the tenant's budget and may take long. {@link
   * #contradictionPages} also tells why it could not.
   */
  public Series<Contradiction> contradictions(
      Consumer<MemoryFilter.Builder> conditions, boolean judge) {
    return contradictionPages(conditions, judge)
        .parts(ListContradictionsResponse::getContradictionsList);
  }

  /**
   * The pages of those pairs, each with the reasons ({@code getDegradedList}) for which pairs were
   * not judged.
   */
  public Series<ListContradictionsResponse> contradictionPages(
      Consumer<MemoryFilter.Builder> conditions, boolean judge) {
    MemoryFilter.Builder filter = MemoryFilter.newBuilder();
    conditions.accept(filter);
    return pages(
        MemoryServiceGrpc.getListContradictionsMethod(),
        ListContradictionsRequest.newBuilder().setFilter(filter).setJudge(judge).build());
  }

  /**
   * Removes memories for good with what was derived from them; what they say may not be stated
   * again.
   */
  public ForgetMemoriesResponse forget(Collection<String> memoryIds) {
    MemoryIds ids = MemoryIds.newBuilder().addAllIds(memoryIds).build();
    return forget(ForgetMemoriesRequest.newBuilder().setMemoryIds(ids).build());
  }

  /** Removes what this request selects, or with {@code dry_run} only tells what would go. */
  public ForgetMemoriesResponse forget(ForgetMemoriesRequest request) {
    return memories.forget(request);
  }

  /** All memories that are not archived, newest first. */
  public Series<Memory> memories() {
    return memories(conditions -> {});
  }

  /**
   * All memories that pass the conditions, newest first; pages are asked for as they are needed.
   */
  public Series<Memory> memories(Consumer<MemoryFilter.Builder> conditions) {
    MemoryFilter.Builder filter = MemoryFilter.newBuilder();
    conditions.accept(filter);
    return memories.list(ListMemoriesRequest.newBuilder().setFilter(filter).build());
  }

  /** The changes of the scope from now on; see the other. */
  public Series<MemoryChange> watch() {
    return watch(WatchMemoriesRequest.getDefaultInstance(), Watches.MAX_RECONNECTS);
  }

  /**
   * The changes of the scope in the order of their revisions, checkpoints among them, without end.
   * When the server goes away, the watch resumes after the last change handed out; it gives up
   * after so many attempts in a row that brought nothing.
   */
  public Series<MemoryChange> watch(WatchMemoriesRequest request, int maxReconnects) {
    return memories.watch(request, maxReconnects);
  }

  /** Large outputs, out of the context. */
  public Artifacts artifacts() {
    return new Artifacts(calls, unary);
  }

  /** Returns what an agent was told and did. */
  public Events events() {
    return new Events(calls, unary);
  }

  /** Context for the model next. */
  public AgentContext context() {
    return new AgentContext(unary);
  }

  /** Returns what an agent keeps in mind from the start of a run to its end. */
  public Runs runs() {
    return new Runs(unary);
  }

  /** JSON under keys, of which the last write is in force. */
  public Slots slots() {
    return new Slots(calls, unary);
  }

  /** Returns what the tenant knows, found in passages. */
  public Documents documents() {
    return new Documents(calls, unary);
  }

  /** Instructions that an agent loads by name. */
  public Skills skills() {
    return new Skills(unary);
  }

  /** Returns what was done in the tenant. */
  public AuditTrail audit() {
    return new AuditTrail(calls, unary);
  }

  /** Links: what belongs together. */
  public Links links() {
    return new Links(unary);
  }

  /** Writes that were acknowledged while Postgres was away and are not stored. */
  public WriteSpool spool() {
    return new WriteSpool(unary);
  }

  /** The steps of workflows, as events. */
  public Workflows workflows() {
    return new Workflows(calls, unary);
  }

  /** Who the caller is, and what it is talking to. */
  public WhoAmIResponse whoAmI() {
    return call(AdminServiceGrpc.getWhoAmIMethod(), WhoAmIRequest.getDefaultInstance());
  }

  /**
   * Any call with one answer, such as {@code call(TaskServiceGrpc.getGetTaskMethod(), request)}: an
   * empty agent and an empty request id are filled in, and what is said of this class holds.
   */
  public <Q extends Message, R extends Message> R call(MethodDescriptor<Q, R> method, Q request) {
    return unary.call(method, request);
  }

  /**
   * All pages of any list, each asked for when the one before has been taken; the timeout is that
   * of each.
   */
  public <Q extends Message, R extends Message> Series<R> pages(
      MethodDescriptor<Q, R> method, Q request) {
    return new Series<>(new Pages<>(unary, method, request), () -> {});
  }

  /**
   * The messages of any stream of the server. A watch goes on when the server goes away, as {@link
   * #watch} does; any other stream has one connection. Close it where you leave it early.
   */
  public <Q extends Message, R extends Message> Series<R> stream(
      MethodDescriptor<Q, R> method, Q request) {
    Methods.check(method, MethodDescriptor.MethodType.SERVER_STREAMING);
    Q asked = unary.forAgent(method, request);
    if (Watches.isAskedFor(asked)) {
      return new Watches<>(calls, method, asked).messages(Watches.MAX_RECONNECTS);
    }
    ServerStream<R> messages = calls.stream(method, asked);
    return new Series<>(messages, messages::close);
  }

  /**
   * For bare stubs, such as {@code MemoryServiceGrpc.newStub(client.channel())}: calls carry the
   * credential.
   */
  public Channel channel() {
    return calls.channelFor(settings.agentId());
  }

  /** Ends all calls and the connection, of every view of this client. */
  @Override
  public void close() {
    connection.close();
  }
}
