import com.itextpdf.text.pdf.AcroFields;
import com.itextpdf.text.pdf.PdfDictionary;
import com.itextpdf.text.pdf.PdfName;
import com.itextpdf.text.pdf.PdfReader;
import com.itextpdf.text.pdf.security.PdfPKCS7;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * iText 5 as a judge of PDFs: {@code ITextJudge LIST}; LIST has a path and a password, or nothing, for each line, with a tabulator between. Prints a line for each: {@code passed} when every signature and every document time stamp is intact,
 * {@code failed}, or {@code ERROR} with a reason.
 */
public final class ITextJudge {
  public static void main(String[] words) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    for (String line : Files.readAllLines(Path.of(words[0]))) {
      String[] fields = line.split("\t", -1);
      System.out.println(judge(fields[0], fields[1]));
    }
  }

  private static String judge(String path, String password) {
    try {
      PdfReader reader = new PdfReader(path, password.isEmpty() ? null : password.getBytes());
      AcroFields fields = reader.getAcroFields();
      boolean passed = !fields.getSignatureNames().isEmpty();
      for (String name : fields.getSignatureNames()) {
        PdfPKCS7 signature = reader.isEncrypted() ? openEncrypted(fields, name, path) : fields.verifySignature(name);
        passed &= signature.verify();
      }
      return passed ? "passed" : "failed";
    } catch (Exception | LinkageError error) {
      return "ERROR " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }

  /**
   * In an encrypted file, {@code verifySignature} decrypts the signature, which is the one string that is never encrypted (ISO 32000-1 §7.6.1), and then cannot decode it. The string as it stands
   * is what iText 5 verifies here.
   */
  private static PdfPKCS7 openEncrypted(AcroFields fields, String name, String path) throws Exception {
    PdfDictionary dictionary = fields.getSignatureDictionary(name);
    byte[] contents = dictionary.getAsString(PdfName.CONTENTS).getOriginalBytes();
    PdfPKCS7 signature = new PdfPKCS7(contents, dictionary.getAsName(PdfName.SUBFILTER), null);
    byte[] file = Files.readAllBytes(Path.of(path));
    long[] range = dictionary.getAsArray(PdfName.BYTERANGE).asLongArray();
    for (int part = 0; part < range.length; part += 2) signature.update(file, (int) range[part], (int) range[part + 1]);
    return signature;
  }
}
