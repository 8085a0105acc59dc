import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Runs programs of its class path one after another, because a Java machine starts slowly. The requests and answers are
 * those of {@code resident-program.ts}; the first word is the class.
 */
public final class Resident {
  public static void main(String[] arguments) throws Exception {
    DataInputStream input = new DataInputStream(System.in);
    DataOutputStream output = new DataOutputStream(System.out);
    while (true) {
      String[] words;
      try {
        words = new String[input.readInt()];
      } catch (EOFException end) {
        return;
      }
      for (int index = 0; index < words.length; index += 1) {
        words[index] = new String(input.readNBytes(input.readInt()), StandardCharsets.UTF_8);
      }
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      System.setOut(new PrintStream(text, true, StandardCharsets.UTF_8));
      int failed = run(words, text);
      output.writeByte(failed);
      output.writeInt(text.size());
      text.writeTo(output);
      output.flush();
    }
  }

  private static int run(String[] words, ByteArrayOutputStream text) throws Exception {
    try {
      String[] parameters = Arrays.copyOfRange(words, 1, words.length);
      Class.forName(words[0]).getMethod("main", String[].class).invoke(null, (Object) parameters);
      return 0;
    } catch (InvocationTargetException | LinkageError failure) {
      text.reset();
      (failure.getCause() == null ? failure : failure.getCause()).printStackTrace(new PrintStream(text, true, StandardCharsets.UTF_8));
      return 1;
    }
  }
}
