import com.itextpdf.text.pdf.AcroFields;
import com.itextpdf.text.pdf.PdfReader;
import com.itextpdf.text.pdf.security.PdfPKCS7;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * iText 5 as a judge of PDFs: {@code ITextJudge LIST}; LIST has a path for each line. Prints a line for each: {@code passed} when every signature and every document time stamp is intact,
 * {@code failed}, or {@code ERROR} with a reason.
 */
public final class ITextJudge {
  public static void main(String[] words) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    for (String line : Files.readAllLines(Path.of(words[0]))) System.out.println(judge(line));
  }

  private static String judge(String path) {
    try {
      AcroFields fields = new PdfReader(path).getAcroFields();
      boolean passed = !fields.getSignatureNames().isEmpty();
      for (String name : fields.getSignatureNames()) {
        PdfPKCS7 signature = fields.verifySignature(name);
        passed &= signature.verify();
      }
      return passed ? "passed" : "failed";
    } catch (Exception | LinkageError error) {
      return "ERROR " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }
}
