package dev.camillo.client;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** All pages of a list, each asked for when the one before has been taken. */
final class Pages<Q extends Message, R extends Message> implements Iterator<R> {
  private static final String PAGE_TOKEN = "page_token";
  private static final String NEXT_PAGE_TOKEN = "next_page_token";

  private final UnaryCalls calls;
  private final MethodDescriptor<Q, R> method;
  // Null when the last page has been taken.
  private Q request;

  Pages(UnaryCalls calls, MethodDescriptor<Q, R> method, Q request) {
    this.calls = calls;
    this.method = method;
    // Fails at once for what is no list.
    String first = RequestFields.text(request, PAGE_TOKEN);
    this.request = RequestFields.withText(request, PAGE_TOKEN, first);
  }

  @Override
  public boolean hasNext() {
    return request != null;
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    R page = calls.call(method, request);
    String token = RequestFields.text(page, NEXT_PAGE_TOKEN);
    request = token.isEmpty() ? null : RequestFields.withText(request, PAGE_TOKEN, token);
    return page;
  }
}
