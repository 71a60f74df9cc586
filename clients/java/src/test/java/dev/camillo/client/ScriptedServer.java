package dev.camillo.client;

import com.google.protobuf.Message;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** A real server on a free port that answers what a test says, and tells what it was asked. */
final class ScriptedServer implements AutoCloseable {
  /** Every request of one message, in the order of arrival. */
  final List<Message> requests = new CopyOnWriteArrayList<>();

  /** The metadata of every call. */
  final List<Metadata> headers = new CopyOnWriteArrayList<>();

  /** Where uploads go. */
  final FakeUploads uploads = new FakeUploads();

  /** Where documents go. */
  final FakeDocuments documents = new FakeDocuments();

  private final Map<String, Deque<Reply>> scripts = new ConcurrentHashMap<>();
  private final Server server;
  private final int port;

  /** Holds what becomes of a call. */
  interface Reply {
    void answer(Message request, StreamObserver<Message> answers);
  }

  ScriptedServer() throws IOException {
    this(InsecureServerCredentials.create(), 0);
  }

  ScriptedServer(ServerCredentials credentials, int wantedPort) throws IOException {
    var builder = Grpc.newServerBuilderForPort(wantedPort, credentials);
    Methods.SERVICES.forEach(service -> builder.addService(scripted(service)));
    server = builder.intercept(new Listener()).build().start();
    this.port = server.getPort();
  }

  String address() {
    return "localhost:" + port;
  }

  int port() {
    return port;
  }

  /** Says how to connect to it, without really waiting anywhere. */
  CamilloBuilder client(List<Duration> pauses) {
    return new CamilloBuilder(Map.of())
        .address(address())
        .key("k-1")
        .pause(pauses::add)
        .serviceConfig(HastyRetries.CONFIG);
  }

  /** The next calls of a method are replied to so, one after another; the last reply stays. */
  void on(MethodDescriptor<?, ?> method, Reply... replies) {
    scripts.put(method.getFullMethodName(), new ArrayDeque<>(List.of(replies)));
  }

  /** One message, made of the request. */
  @SuppressWarnings("unchecked")
  static <Q extends Message> Reply answer(Function<Q, Message> make) {
    return (request, answers) -> {
      answers.onNext(make.apply((Q) request));
      answers.onCompleted();
    };
  }

  /** These messages, and the end. */
  static Reply messages(Message... messages) {
    return (request, answers) -> {
      List.of(messages).forEach(answers::onNext);
      answers.onCompleted();
    };
  }

  /** These messages, and then a failure. */
  static Reply broken(Throwable failure, Message... messages) {
    return (request, answers) -> {
      List.of(messages).forEach(answers::onNext);
      answers.onError(failure);
    };
  }

  /** These messages, and no end. */
  static Reply open(Message... messages) {
    return (request, answers) -> List.of(messages).forEach(answers::onNext);
  }

  /** These messages, and no end; counts down when the client ends the call. */
  static Reply open(CountDownLatch ended, Message... messages) {
    return (request, answers) -> {
      ((ServerCallStreamObserver<Message>) answers).setOnCancelHandler(ended::countDown);
      List.of(messages).forEach(answers::onNext);
    };
  }

  /** The requests of a type. */
  <Q extends Message> List<Q> of(Class<Q> type) {
    return requests.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Returns what the last call carried under a key. */
  String header(String key) {
    return headers.get(headers.size() - 1).get(Headers.key(key));
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private ServerServiceDefinition scripted(ServiceDescriptor service) {
    ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(service);
    service.getMethods().stream()
        .map(method -> Methods.find(method.getFullMethodName()).orElseThrow())
        .forEach(method -> definition.addMethod(method, handler(method)));
    return definition.build();
  }

  private ServerCallHandler<Message, Message> handler(MethodDescriptor<Message, Message> method) {
    return switch (method.getType()) {
      case UNARY ->
          ServerCalls.asyncUnaryCall((request, answers) -> reply(method, request, answers));
      case SERVER_STREAMING ->
          ServerCalls.asyncServerStreamingCall(
              (request, answers) -> reply(method, request, answers));
      default -> {
        boolean isDocument = "PublishDocument".equals(method.getBareMethodName());
        yield ServerCalls.asyncClientStreamingCall(isDocument ? documents::take : uploads::take);
      }
    };
  }

  private void reply(
      MethodDescriptor<?, ?> method, Message request, StreamObserver<Message> answers) {
    requests.add(request);
    Deque<Reply> script = scripts.get(method.getFullMethodName());
    if (script == null) {
      answers.onError(Status.UNIMPLEMENTED.asRuntimeException());
      return;
    }
    (script.size() > 1 ? script.poll() : script.peek()).answer(request, answers);
  }

  private final class Listener implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata told, ServerCallHandler<Q, R> next) {
      headers.add(told);
      return next.startCall(call, told);
    }
  }
}
