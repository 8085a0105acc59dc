import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.Collection;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSProcessableFile;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.util.Store;

/**
 * Verifies CMS signatures with Bouncy Castle, which encodes the signed attributes as DER again before it checks them.
 * Arguments: pairs of a signature's path and its content's path; the latter is "-" for enclosed content.
 * Prints one line for each pair: one word per signer, "true" or "false", or "error" and why the signature is not read.
 */
public final class VerifyCms {
  public static void main(String[] arguments) {
    Security.addProvider(new BouncyCastleProvider());
    for (int index = 0; index + 1 < arguments.length; index += 2) {
      try {
        System.out.println(verify(read(arguments[index], arguments[index + 1])));
      } catch (Exception exception) {
        System.out.println("error " + String.valueOf(exception).replaceAll("\\s+", " "));
      }
    }
  }

  private static CMSSignedData read(String signature, String content) throws Exception {
    byte[] octets = Files.readAllBytes(Path.of(signature));
    if (content.equals("-")) {
      return new CMSSignedData(octets);
    }
    return new CMSSignedData(new CMSProcessableFile(Path.of(content).toFile()), octets);
  }

  private static String verify(CMSSignedData signedData) throws Exception {
    Store<X509CertificateHolder> certificates = signedData.getCertificates();
    StringBuilder line = new StringBuilder();
    for (SignerInformation signer : signedData.getSignerInfos().getSigners()) {
      line.append(line.length() == 0 ? "" : " ").append(verify(signer, certificates));
    }
    return line.length() == 0 ? "error no signers" : line.toString();
  }

  @SuppressWarnings("unchecked")
  private static boolean verify(SignerInformation signer, Store<X509CertificateHolder> certificates) {
    Collection<X509CertificateHolder> matches = certificates.getMatches(signer.getSID());
    try {
      X509CertificateHolder certificate = matches.iterator().next();
      return signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(certificate));
    } catch (Exception exception) {
      System.err.println(exception);
      return false;
    }
  }
}
