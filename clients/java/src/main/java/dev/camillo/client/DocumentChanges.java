package dev.camillo.client;

import com.google.protobuf.FieldMask;
import dev.camillo.v1.NewDocument;
import dev.camillo.v1.Sensitivity;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The changes of an update of a document: the fields that are named here, and no others. The limits
 * are those of {@code NewDocument}; a field that is named but empty, or null, gets its default.
 */
public final class DocumentChanges {
  private final NewDocument.Builder document = NewDocument.newBuilder();
  private final Set<String> paths = new LinkedHashSet<>();

  /** No changes yet. */
  public DocumentChanges() {}

  /** Its name. */
  public DocumentChanges title(String title) {
    return set("title", title, document::setTitle);
  }

  /** Categories, in place of those that it has. */
  public DocumentChanges categories(List<String> categories) {
    return set("categories", categories, document::addAllCategories);
  }

  /** Tags, in place of those that it has. */
  public DocumentChanges tags(List<String> tags) {
    return set("tags", tags, document::addAllTags);
  }

  /** Who may be shown it. */
  public DocumentChanges sensitivity(Sensitivity sensitivity) {
    return set("sensitivity", sensitivity, document::setSensitivity);
  }

  /** Where it comes from. */
  public DocumentChanges sourceUrl(String url) {
    return set("source_url", url, document::setSourceUrl);
  }

  /** Flat, in place of what it has. */
  public DocumentChanges provenance(Map<String, ?> provenance) {
    return set("provenance", provenance, given -> document.setProvenance(Values.struct(given)));
  }

  /** Not found before this moment; null: at once. */
  public DocumentChanges effectiveFrom(Instant moment) {
    return set(
        "effective_from", moment, given -> document.setEffectiveFrom(Values.timestamp(given)));
  }

  /** Not found from this moment on; null: always. */
  public DocumentChanges effectiveUntil(Instant moment) {
    return set(
        "effective_until", moment, given -> document.setEffectiveUntil(Values.timestamp(given)));
  }

  NewDocument document() {
    return document.build();
  }

  FieldMask mask() {
    return FieldMask.newBuilder().addAllPaths(paths).build();
  }

  private <V> DocumentChanges set(String path, V value, Consumer<V> setter) {
    paths.add(path);
    // The last word counts, of lists too.
    document.clearField(NewDocument.getDescriptor().findFieldByName(path));
    if (value != null) {
      setter.accept(value);
    }
    return this;
  }
}
