import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.PublicKeyProtectionPolicy;
import org.apache.pdfbox.pdmodel.encryption.PublicKeyRecipient;
import org.apache.pdfbox.text.PDFTextStripper;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Encrypts PDFs for the holders of certificates with PDFBox, and opens them again.
 * "encrypt IN OUT BITS AES CERTIFICATE...": AES is "aes" or "rc4". Prints "encrypted".
 * "open IN PKCS12 PASSWORD": prints how many signatures the file has, then its text in one line.
 */
public final class RecipientPdf {
  public static void main(String[] arguments) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    if (arguments[0].equals("encrypt")) {
      encrypt(arguments);
    } else {
      open(arguments[1], arguments[2], arguments[3]);
    }
  }

  private static void encrypt(String[] arguments) throws Exception {
    PublicKeyProtectionPolicy policy = new PublicKeyProtectionPolicy();
    policy.setEncryptionKeyLength(Integer.parseInt(arguments[3]));
    policy.setPreferAES(arguments[4].equals("aes"));
    for (int index = 5; index < arguments.length; index += 1) {
      PublicKeyRecipient recipient = new PublicKeyRecipient();
      byte[] der = Files.readAllBytes(Path.of(arguments[index]));
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      recipient.setX509((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
      recipient.setPermission(AccessPermission.getOwnerAccessPermission());
      policy.addRecipient(recipient);
    }
    try (PDDocument document = PDDocument.load(new File(arguments[1]))) {
      document.protect(policy);
      document.save(arguments[2]);
    }
    System.out.println("encrypted");
  }

  private static void open(String path, String store, String password) throws Exception {
    try (InputStream keys = new FileInputStream(store);
        PDDocument document = PDDocument.load(new File(path), password, keys, null)) {
      System.out.println(document.getSignatureDictionaries().size());
      System.out.println(new PDFTextStripper().getText(document).replaceAll("\\s+", " ").trim());
    }
  }
}
