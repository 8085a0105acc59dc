import eu.europa.esig.dss.cades.CAdESSignatureParameters;
import eu.europa.esig.dss.cades.signature.CAdESCounterSignatureParameters;
import eu.europa.esig.dss.cades.signature.CAdESService;
import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.Policy;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.ToBeSigned;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
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
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore.PasswordProtection;
import java.util.HexFormat;
import java.util.List;

/**
 * EU DSS as a signer: {@code ROOT P12 PASSWORD TSA LIST}. LIST has a line for each file to make: operation, input, document
 * of a detached signature, output, level ({@code B}, {@code T}, {@code LT}, {@code LTA}), OID, hash and address of a signature
 * policy; separated by tabulators, and empty where absent. Operations: {@code sign}, {@code cosign} (a further signature),
 * {@code countersign} (of the first signature, at B) and {@code extend} (all signatures).
 *
 * <p>A name that ends in {@code .p7s} is a detached signature, {@code .p7m} an attached one, {@code .pdf} a PDF. Prints a line
 * for each: {@code made}, or {@code ERROR} with a reason.
 */
public final class DssSigner {
  private static final String PBAD = "PBAD.PAdES";

  private final CAdESService cades;
  private final PAdESService pades;
  private final CommonCertificateVerifier verifier;
  private final Pkcs12SignatureToken token;

  private DssSigner(String[] words, Pkcs12SignatureToken token) {
    this.token = token;
    verifier = new CommonCertificateVerifier();
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    trusted.addCertificate(DSSUtils.loadCertificate(new File(words[0])));
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    verifier.setOcspSource(new OnlineOCSPSource());
    verifier.setCrlSource(new OnlineCRLSource());
    OnlineTSPSource authority = new OnlineTSPSource(words[3], new TimestampDataLoader());
    cades = new CAdESService(verifier);
    cades.setTspSource(authority);
    pades = new PAdESService(verifier);
    pades.setTspSource(authority);
  }

  public static void main(String[] words) throws Exception {
    PasswordProtection password = new PasswordProtection(words[2].toCharArray());
    try (Pkcs12SignatureToken token = new Pkcs12SignatureToken(new File(words[1]), password)) {
      DssSigner signer = new DssSigner(words, token);
      for (String line : Files.readAllLines(Path.of(words[4]))) {
        System.out.println(signer.make(line.split("\t", -1)));
      }
    }
  }

  private String make(String[] fields) {
    try {
      (fields[3].endsWith(".pdf") ? ofPdf(fields) : ofMessage(fields)).save(fields[3]);
      return "made";
    } catch (Exception error) {
      return "ERROR " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }

  private <P extends CAdESSignatureParameters> P fill(P parameters, String[] fields) {
    String format = fields[3].endsWith(".pdf") ? "PAdES" : "CAdES";
    parameters.setSignatureLevel(SignatureLevel.valueOf(format + "_BASELINE_" + fields[4]));
    DSSPrivateKeyEntry key = token.getKeys().get(0);
    parameters.setDigestAlgorithm(DigestAlgorithm.SHA256);
    parameters.setSigningCertificate(key.getCertificate());
    parameters.setCertificateChain(key.getCertificateChain());
    if (fields[5].isEmpty()) return parameters;
    Policy policy = new Policy();
    policy.setId(fields[5]);
    policy.setDigestAlgorithm(DigestAlgorithm.SHA256);
    policy.setDigestValue(HexFormat.of().parseHex(fields[6]));
    policy.setSpuri(fields[7]);
    parameters.bLevel().setSignaturePolicy(policy);
    return parameters;
  }

  private SignatureValue signed(ToBeSigned bytes) {
    return token.sign(bytes, DigestAlgorithm.SHA256, token.getKeys().get(0));
  }

  private DSSDocument ofPdf(String[] fields) {
    DSSDocument input = new FileDocument(fields[1]);
    PAdESSignatureParameters parameters = fill(new PAdESSignatureParameters(), fields);
    if (fields[0].equals("extend")) return pades.extendDocument(input, parameters);
    if (!fields[5].isEmpty()) {
      parameters.setFilter(PBAD.replace('.', '_'));
      parameters.setSubFilter(PBAD);
    }
    return pades.signDocument(input, parameters, signed(pades.getDataToSign(input, parameters)));
  }

  private DSSDocument ofMessage(String[] fields) {
    DSSDocument input = new FileDocument(fields[1]);
    List<DSSDocument> contents = fields[2].isEmpty() ? List.of() : List.of(new FileDocument(fields[2]));
    if (fields[0].equals("countersign")) return counterSigned(input, contents, fields);
    CAdESSignatureParameters parameters = fill(new CAdESSignatureParameters(), fields);
    boolean isDetached = fields[3].endsWith(".p7s");
    parameters.setSignaturePackaging(isDetached ? SignaturePackaging.DETACHED : SignaturePackaging.ENVELOPING);
    if (!contents.isEmpty()) parameters.setDetachedContents(contents);
    if (fields[0].equals("extend")) return cades.extendDocument(input, parameters);
    parameters.setParallelSignature(fields[0].equals("cosign"));
    return cades.signDocument(input, parameters, signed(cades.getDataToSign(input, parameters)));
  }

  private DSSDocument counterSigned(DSSDocument input, List<DSSDocument> contents, String[] fields) {
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(input);
    validator.setCertificateVerifier(verifier);
    validator.setDetachedContents(contents);
    CAdESCounterSignatureParameters parameters = fill(new CAdESCounterSignatureParameters(), fields);
    parameters.setSignatureIdToCounterSign(validator.getSignatures().get(0).getId());
    parameters.setDetachedContents(contents);
    ToBeSigned bytes = cades.getDataToBeCounterSigned(input, parameters);
    return cades.counterSignSignature(input, parameters, signed(bytes));
  }
}
