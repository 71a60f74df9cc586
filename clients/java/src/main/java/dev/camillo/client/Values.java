package dev.camillo.client;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Between Java's values and their protobuf forms. */
public final class Values {
  private Values() {}

  /** The timestamp of a moment. */
  public static Timestamp timestamp(Instant moment) {
    return Timestamp.newBuilder()
        .setSeconds(moment.getEpochSecond())
        .setNanos(moment.getNano())
        .build();
  }

  /** The moment of a timestamp. */
  public static Instant instant(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }

  /**
   * The struct of a map of strings, numbers, booleans, nulls, lists and maps. JSON has one kind of
   * number: integers come back as doubles. IllegalArgumentException for anything else.
   */
  public static Struct struct(Map<String, ?> values) {
    Struct.Builder struct = Struct.newBuilder();
    values.forEach((name, value) -> struct.putFields(text(name), wrapped(value)));
    return struct.build();
  }

  /** The map of a struct, as in the metadata of a memory. */
  public static Map<String, Object> map(Struct struct) {
    Map<String, Object> values = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((name, value) -> values.put(name, unwrapped(value)));
    return values;
  }

  private static Value wrapped(Object value) {
    Value.Builder wrapped = Value.newBuilder();
    if (value == null) {
      return wrapped.setNullValue(NullValue.NULL_VALUE).build();
    } else if (value instanceof String text) {
      return wrapped.setStringValue(text).build();
    } else if (value instanceof Boolean flag) {
      return wrapped.setBoolValue(flag).build();
    } else if (value instanceof Number number) {
      return wrapped.setNumberValue(number.doubleValue()).build();
    } else if (value instanceof List<?> list) {
      ListValue.Builder values = ListValue.newBuilder();
      list.forEach(each -> values.addValues(wrapped(each)));
      return wrapped.setListValue(values).build();
    } else if (value instanceof Map<?, ?> map) {
      Struct.Builder struct = Struct.newBuilder();
      map.forEach((name, each) -> struct.putFields(text(name), wrapped(each)));
      return wrapped.setStructValue(struct).build();
    }
    throw new IllegalArgumentException("JSON has no " + value.getClass().getName());
  }

  private static String text(Object name) {
    if (name instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("JSON has no name that is " + name);
  }

  private static Object unwrapped(Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> value.getBoolValue();
      case NUMBER_VALUE -> value.getNumberValue();
      case LIST_VALUE ->
          value.getListValue().getValuesList().stream().map(Values::unwrapped).toList();
      case STRUCT_VALUE -> map(value.getStructValue());
      case NULL_VALUE, KIND_NOT_SET -> null;
    };
  }
}
