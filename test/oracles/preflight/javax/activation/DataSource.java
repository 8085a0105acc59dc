package javax.activation;

import java.io.IOException;
import java.io.InputStream;

/** The part of the activation framework that PDFBox Preflight reads files through; Java 11 and later lack it. */
public interface DataSource {
  InputStream getInputStream() throws IOException;

  String getName();
}
