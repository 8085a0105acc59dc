package javax.activation;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A file as a source of data. */
public class FileDataSource implements DataSource {
  private final File file;

  public FileDataSource(File file) {
    this.file = file;
  }

  public FileDataSource(String path) {
    this(new File(path));
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FileInputStream(file);
  }

  @Override
  public String getName() {
    return file.getName();
  }
}
