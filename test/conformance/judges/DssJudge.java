import eu.europa.esig.dss.cades.CAdESSignatureParameters;
import eu.europa.esig.dss.cades.signature.CAdESService;
import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.ToBeSigned;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.service.crl.OnlineCRLSource;
import eu.europa.esig.dss.service.http.commons.TimestampDataLoader;
import eu.europa.esig.dss.service.ocsp.OnlineOCSPSource;
import eu.europa.esig.dss.service.tsp.OnlineTSPSource;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.token.DSSPrivateKeyEntry;
import eu.europa.esig.dss.token.Pkcs12SignatureToken;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore.PasswordProtection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/**
 * EU DSS as a judge and as a signer.
 *
 * <p>{@code judge ROOT LIST}: LIST has a line for each file: path, document of a detached signature (or nothing), time of
 * the verdict (ISO 8601), separated by tabs. Prints a line for each: the verdicts of its signatures, separated by spaces,
 * each {@code level:indication:subindication}; or {@code ERROR} with a reason. Nothing is fetched.
 *
 * <p>{@code sign ROOT P12 PASSWORD TSA DOCUMENT PDF FOLDER NAME}: signs the document and the PDF at each baseline level.
 */
public final class DssJudge {
  public static void main(String[] words) throws Exception {
    CertificateToken root = DSSUtils.loadCertificate(new File(words[1]));
    if (words[0].equals("judge")) {
      for (String line : Files.readAllLines(Path.of(words[2]))) System.out.println(judge(root, line.split("\t", -1)));
    } else {
      sign(root, words);
    }
  }

  private static CommonCertificateVerifier verifier(CertificateToken root) {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    trusted.addCertificate(root);
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    return verifier;
  }

  private static String judge(CertificateToken root, String[] fields) {
    try {
      SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(fields[0]));
      validator.setCertificateVerifier(verifier(root));
      validator.setValidationTime(Date.from(Instant.parse(fields[2])));
      if (!fields[1].isEmpty()) {
        List<DSSDocument> contents = new ArrayList<>();
        contents.add(new FileDocument(fields[1]));
        validator.setDetachedContents(contents);
      }
      SimpleReport report = validator.validateDocument().getSimpleReport();
      StringBuilder verdicts = new StringBuilder();
      for (String id : report.getSignatureIdList()) {
        String sub = report.getSubIndication(id) == null ? "" : report.getSubIndication(id).name();
        String verdict = report.getSignatureFormat(id) + ":" + report.getIndication(id) + ":" + sub;
        verdicts.append(verdicts.length() == 0 ? "" : " ").append(verdict);
      }
      return verdicts.length() == 0 ? "NONE" : verdicts.toString();
    } catch (Exception error) {
      return "ERROR " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }

  private static void sign(CertificateToken root, String[] words) throws Exception {
    CommonCertificateVerifier verifier = verifier(root);
    verifier.setOcspSource(new OnlineOCSPSource());
    verifier.setCrlSource(new OnlineCRLSource());
    OnlineTSPSource authority = new OnlineTSPSource(words[4], new TimestampDataLoader());
    CAdESService cades = new CAdESService(verifier);
    cades.setTspSource(authority);
    PAdESService pades = new PAdESService(verifier);
    pades.setTspSource(authority);
    char[] password = words[3].toCharArray();
    try (Pkcs12SignatureToken token = new Pkcs12SignatureToken(new File(words[2]), new PasswordProtection(password))) {
      DSSPrivateKeyEntry key = token.getKeys().get(0);
      for (String level : new String[] {"B", "T", "LT", "LTA"}) {
        for (SignaturePackaging packaging : new SignaturePackaging[] {SignaturePackaging.DETACHED, SignaturePackaging.ENVELOPING}) {
          CAdESSignatureParameters parameters = new CAdESSignatureParameters();
          parameters.setSignatureLevel(SignatureLevel.valueOf("CAdES_BASELINE_" + level));
          parameters.setSignaturePackaging(packaging);
          parameters.setDigestAlgorithm(DigestAlgorithm.SHA256);
          parameters.setSigningCertificate(key.getCertificate());
          parameters.setCertificateChain(key.getCertificateChain());
          DSSDocument document = new FileDocument(words[5]);
          ToBeSigned toBeSigned = cades.getDataToSign(document, parameters);
          SignatureValue value = token.sign(toBeSigned, DigestAlgorithm.SHA256, key);
          String extension = packaging == SignaturePackaging.DETACHED ? ".p7s" : ".p7m";
          cades.signDocument(document, parameters, value).save(words[7] + "/" + words[8] + "-B-" + level + extension);
        }
        PAdESSignatureParameters parameters = new PAdESSignatureParameters();
        parameters.setSignatureLevel(SignatureLevel.valueOf("PAdES_BASELINE_" + level));
        parameters.setDigestAlgorithm(DigestAlgorithm.SHA256);
        parameters.setSigningCertificate(key.getCertificate());
        parameters.setCertificateChain(key.getCertificateChain());
        DSSDocument document = new FileDocument(words[6]);
        ToBeSigned toBeSigned = pades.getDataToSign(document, parameters);
        SignatureValue value = token.sign(toBeSigned, DigestAlgorithm.SHA256, key);
        pades.signDocument(document, parameters, value).save(words[7] + "/" + words[8] + "-B-" + level + ".pdf");
      }
    }
  }
}
