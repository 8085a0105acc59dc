import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** Writes key.der and certificate.pem of the working folder into file.p12, as Bouncy Castle does: in BER. */
public final class WriteBouncyCastleStore {
  public static void main(String[] arguments) throws Exception {
    char[] password = System.getenv("SINETE_TEST_PASSWORD").toCharArray();
    byte[] octets = Files.readAllBytes(Path.of("key.der"));
    PrivateKey key = KeyFactory.getInstance("EC", new BouncyCastleProvider()).generatePrivate(new PKCS8EncodedKeySpec(octets));
    Certificate[] chain;
    try (var input = Files.newInputStream(Path.of("certificates.pem"))) {
      chain = CertificateFactory.getInstance("X.509").generateCertificates(input).toArray(new Certificate[0]);
    }
    KeyStore store = KeyStore.getInstance("PKCS12", new BouncyCastleProvider());
    store.load(null, null);
    store.setKeyEntry("Maria", key, password, chain);
    try (var output = new FileOutputStream("file.p12")) {
      store.store(output, password);
    }
  }
}
