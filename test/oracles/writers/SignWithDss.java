import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.ToBeSigned;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.PAdESTimestampParameters;
import eu.europa.esig.dss.pades.SignatureFieldParameters;
import eu.europa.esig.dss.pades.SignatureImageParameters;
import eu.europa.esig.dss.pades.SignatureImageTextParameters;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.service.crl.OnlineCRLSource;
import eu.europa.esig.dss.service.http.commons.TimestampDataLoader;
import eu.europa.esig.dss.service.ocsp.OnlineOCSPSource;
import eu.europa.esig.dss.service.tsp.OnlineTSPSource;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.token.DSSPrivateKeyEntry;
import eu.europa.esig.dss.token.Pkcs12SignatureToken;
import java.io.File;
import java.security.KeyStore.PasswordProtection;

/**
 * EU DSS with PDFBox 3 as a writer of PDFs. Parameters: root certificate, PKCS#12 file, its password, address of the time
 * stamp authority, then groups of four: operation, input, output, password of the PDF ("" for none). Operations: "sign",
 * "visible", "timestamp" (a document time stamp) and "extend" (all signatures to B-LTA).
 */
final class SignWithDss {
  public static void main(String[] words) throws Exception {
    System.setProperty("java.awt.headless", "true");
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    trusted.addCertificate(DSSUtils.loadCertificate(new File(words[0])));
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    verifier.setOcspSource(new OnlineOCSPSource());
    verifier.setCrlSource(new OnlineCRLSource());
    PAdESService service = new PAdESService(verifier);
    service.setTspSource(new OnlineTSPSource(words[3], new TimestampDataLoader()));
    PasswordProtection protection = new PasswordProtection(words[2].toCharArray());
    try (Pkcs12SignatureToken token = new Pkcs12SignatureToken(new File(words[1]), protection)) {
      for (int at = 4; at + 3 < words.length; at += 4) {
        DSSDocument input = new FileDocument(words[at + 1]);
        char[] password = words[at + 3].isEmpty() ? null : words[at + 3].toCharArray();
        change(service, token, words[at], input, password).save(words[at + 2]);
      }
    }
  }

  private static DSSDocument change(
      PAdESService service, Pkcs12SignatureToken token, String operation, DSSDocument input, char[] password)
      throws Exception {
    if (operation.equals("timestamp")) {
      PAdESTimestampParameters parameters = new PAdESTimestampParameters(DigestAlgorithm.SHA256);
      if (password != null) parameters.setPasswordProtection(password);
      return service.timestamp(input, parameters);
    }
    PAdESSignatureParameters parameters = new PAdESSignatureParameters();
    if (password != null) parameters.setPasswordProtection(password);
    if (operation.equals("extend")) {
      parameters.setSignatureLevel(SignatureLevel.PAdES_BASELINE_LTA);
      return service.extendDocument(input, parameters);
    }
    DSSPrivateKeyEntry key = token.getKeys().get(0);
    parameters.setSignatureLevel(SignatureLevel.PAdES_BASELINE_B);
    parameters.setDigestAlgorithm(DigestAlgorithm.SHA256);
    parameters.setSigningCertificate(key.getCertificate());
    parameters.setCertificateChain(key.getCertificateChain());
    if (operation.equals("visible")) parameters.setImageParameters(looks());
    ToBeSigned toBeSigned = service.getDataToSign(input, parameters);
    SignatureValue value = token.sign(toBeSigned, DigestAlgorithm.SHA256, key);
    return service.signDocument(input, parameters, value);
  }

  private static SignatureImageParameters looks() {
    SignatureImageParameters image = new SignatureImageParameters();
    SignatureImageTextParameters text = new SignatureImageTextParameters();
    text.setText("Signed with DSS");
    image.setTextParameters(text);
    SignatureFieldParameters field = new SignatureFieldParameters();
    // Beside every other appearance: DSS refuses a field that overlaps another one.
    field.setOriginX(400);
    field.setOriginY(400);
    field.setWidth(100);
    field.setHeight(40);
    image.setFieldParameters(field);
    return image;
  }
}
