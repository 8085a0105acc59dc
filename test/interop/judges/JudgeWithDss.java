import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.io.File;

/**
 * EU DSS as a judge of later revisions: the root certificate, then files. Prints the indication of the oldest signature and the
 * keys of its errors and warnings for each file, separated by spaces.
 */
public final class JudgeWithDss {
  public static void main(String[] words) throws Exception {
    CertificateToken root = DSSUtils.loadCertificate(new File(words[0]));
    for (int at = 1; at < words.length; at += 1) System.out.println(judge(root, words[at]));
  }

  private static String judge(CertificateToken root, String path) {
    try {
      CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
      trusted.addCertificate(root);
      CommonCertificateVerifier verifier = new CommonCertificateVerifier();
      verifier.setTrustedCertSources(trusted);
      verifier.setAIASource(null);
      SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(path));
      validator.setCertificateVerifier(verifier);
      SimpleReport report = validator.validateDocument().getSimpleReport();
      String id = report.getSignatureIdList().get(0);
      StringBuilder words = new StringBuilder(String.valueOf(report.getIndication(id)));
      for (Message message : report.getAdESValidationErrors(id)) words.append(' ').append(message.getKey());
      for (Message message : report.getAdESValidationWarnings(id)) words.append(' ').append(message.getKey());
      return words.toString();
    } catch (Exception error) {
      return "ERROR " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }
}
