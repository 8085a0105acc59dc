import eu.europa.esig.dss.diagnostic.DiagnosticData;
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.service.crl.OnlineCRLSource;
import eu.europa.esig.dss.service.ocsp.OnlineOCSPSource;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.simplereport.jaxb.XmlEvidenceRecord;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.policy.SignaturePolicyProvider;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * EU DSS as a judge: {@code ROOT LIST POLICIES}. LIST has a line for each file: path, document of a detached signature,
 * evidence record over the file, time of the verdict (ISO 8601), and {@code asked} where servers may be asked about
 * revocations; separated by tabulators, and empty where absent. Otherwise nothing is fetched. POLICIES has the address and the
 * path of a signature policy in each line.
 *
 * <p>Prints a line for each file: the verdicts of its signatures and evidence records, separated by spaces, each {@code
 * level:indication:subindication:policy}, the last with the OID of a policy whose file has the hash that the signature
 * names; or {@code ERROR} with a reason.
 */
public final class DssJudge {
  public static void main(String[] words) throws Exception {
    CertificateToken root = DSSUtils.loadCertificate(new File(words[0]));
    Map<String, DSSDocument> policies = new HashMap<>();
    for (String line : Files.readAllLines(Path.of(words[2]))) {
      String[] fields = line.split("\t", -1);
      policies.put(fields[0], new FileDocument(fields[1]));
    }
    for (String line : Files.readAllLines(Path.of(words[1]))) {
      System.out.println(judge(root, policies, line.split("\t", -1)));
    }
  }

  private static CommonCertificateVerifier verifier(CertificateToken root, boolean isAsking) {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    trusted.addCertificate(root);
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    if (isAsking) {
      verifier.setOcspSource(new OnlineOCSPSource());
      verifier.setCrlSource(new OnlineCRLSource());
    }
    return verifier;
  }

  private static String judge(CertificateToken root, Map<String, DSSDocument> policies, String[] fields) {
    try {
      SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(fields[0]));
      validator.setCertificateVerifier(verifier(root, fields[4].equals("asked")));
      validator.setValidationTime(Date.from(Instant.parse(fields[3])));
      SignaturePolicyProvider provider = new SignaturePolicyProvider();
      provider.setSignaturePoliciesByUrl(policies);
      validator.setSignaturePolicyProvider(provider);
      if (!fields[1].isEmpty()) validator.setDetachedContents(List.of(new FileDocument(fields[1])));
      if (!fields[2].isEmpty()) validator.setDetachedEvidenceRecordDocuments(List.of(new FileDocument(fields[2])));
      return verdicts(validator.validateDocument());
    } catch (Exception error) {
      return "ERROR " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }

  private static String verdicts(Reports reports) {
    SimpleReport report = reports.getSimpleReport();
    DiagnosticData data = reports.getDiagnosticData();
    StringBuilder verdicts = new StringBuilder();
    for (String id : report.getSignatureIdList()) {
      SignatureWrapper signature = data.getSignatureById(id);
      String policy = signature.isPolicyPresent() && signature.isPolicyDigestValid() ? signature.getPolicyId() : "";
      add(verdicts, report, id, String.valueOf(report.getSignatureFormat(id)), policy);
    }
    String first = report.getFirstSignatureId();
    if (first != null) for (XmlEvidenceRecord record : report.getSignatureEvidenceRecords(first)) add(verdicts, record);
    return verdicts.length() == 0 ? "NONE" : verdicts.toString();
  }

  /** A record in a file of its own is over all signatures, and the report has it under each of them. */
  private static void add(StringBuilder verdicts, XmlEvidenceRecord record) {
    String sub = record.getSubIndication() == null ? "" : record.getSubIndication().name();
    verdicts.append(" RECORD:").append(record.getIndication()).append(':').append(sub).append(':');
  }

  private static void add(StringBuilder verdicts, SimpleReport report, String id, String format, String policy) {
    String sub = report.getSubIndication(id) == null ? "" : report.getSubIndication(id).name();
    String verdict = format + ":" + report.getIndication(id) + ":" + sub + ":" + policy;
    verdicts.append(verdicts.length() == 0 ? "" : " ").append(verdict);
  }
}
