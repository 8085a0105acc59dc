import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Security;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerId;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.tsp.TimeStampToken;
import org.bouncycastle.util.Store;

/**
 * Verifies signatures, time stamps and validation material of PDFs with PDFBox and Bouncy Castle. Arguments: paths.
 * Prints one line for each PDF: for each signature "signature", "stamped" (with a good signature time stamp) or
 * "timestamp" when it holds, "bad" when not; then "certs=", "ocsps=" and "crls=" with the number of those that hold.
 */
public final class VerifyLongTerm {
  private static final CertificateFactory FACTORY = factory();

  public static void main(String[] arguments) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    for (String path : arguments) {
      StringBuilder line = new StringBuilder();
      byte[] file = Files.readAllBytes(Path.of(path));
      try (PDDocument document = PDDocument.load(file)) {
        for (PDSignature signature : document.getSignatureDictionaries()) {
          line.append(judge(signature, file)).append(' ');
        }
        COSDictionary store = document.getDocumentCatalog().getCOSObject().getCOSDictionary(COSName.getPDFName("DSS"));
        line.append("certs=").append(count(store, "Certs", VerifyLongTerm::isCertificate));
        line.append(" ocsps=").append(count(store, "OCSPs", VerifyLongTerm::isResponse));
        line.append(" crls=").append(count(store, "CRLs", VerifyLongTerm::isList));
      }
      System.out.println(line);
    }
  }

  private static CertificateFactory factory() {
    try {
      return CertificateFactory.getInstance("X.509");
    } catch (Exception exception) {
      throw new IllegalStateException(exception);
    }
  }

  private static String judge(PDSignature signature, byte[] file) {
    try {
      byte[] contents = signature.getContents(file);
      byte[] covered = signature.getSignedContent(file);
      if ("ETSI.RFC3161".equals(signature.getSubFilter())) {
        return stamps(new CMSSignedData(contents), covered) ? "timestamp" : "bad";
      }
      CMSSignedData signed = new CMSSignedData(new CMSProcessableByteArray(covered), contents);
      SignerInformation signer = signed.getSignerInfos().getSigners().iterator().next();
      X509CertificateHolder certificate = find(signed.getCertificates(), signer.getSID());
      if (!signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(certificate))) {
        return "bad";
      }
      Attribute stamp = signer.getUnsignedAttributes() == null
          ? null
          : signer.getUnsignedAttributes().get(PKCSObjectIdentifiers.id_aa_signatureTimeStampToken);
      if (stamp == null) {
        return "signature";
      }
      byte[] token = stamp.getAttrValues().getObjectAt(0).toASN1Primitive().getEncoded();
      return stamps(new CMSSignedData(token), signer.getSignature()) ? "stamped" : "bad";
    } catch (Exception exception) {
      System.err.println(exception);
      return "bad";
    }
  }

  @SuppressWarnings("unchecked")
  private static X509CertificateHolder find(Store<X509CertificateHolder> certificates, SignerId name) {
    return (X509CertificateHolder) certificates.getMatches(name).iterator().next();
  }

  private static boolean stamps(CMSSignedData signed, byte[] octets) throws Exception {
    TimeStampToken token = new TimeStampToken(signed);
    X509CertificateHolder authority = find(token.getCertificates(), token.getSID());
    token.validate(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(authority));
    String algorithm = token.getTimeStampInfo().getMessageImprintAlgOID().getId();
    byte[] digest = MessageDigest.getInstance(algorithm, "BC").digest(octets);
    return Arrays.equals(digest, token.getTimeStampInfo().getMessageImprintDigest());
  }

  private interface Check {
    boolean holds(byte[] octets) throws Exception;
  }

  private static int count(COSDictionary store, String name, Check check) throws Exception {
    COSArray list = store == null ? null : (COSArray) store.getDictionaryObject(COSName.getPDFName(name));
    int count = 0;
    for (int index = 0; list != null && index < list.size(); index++) {
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      try (InputStream input = ((COSStream) list.getObject(index)).createInputStream()) {
        input.transferTo(octets);
      }
      count += check.holds(octets.toByteArray()) ? 1 : 0;
    }
    return count;
  }

  private static boolean isCertificate(byte[] octets) throws Exception {
    return FACTORY.generateCertificate(new ByteArrayInputStream(octets)) != null;
  }

  private static boolean isList(byte[] octets) throws Exception {
    return FACTORY.generateCRL(new ByteArrayInputStream(octets)) != null;
  }

  private static boolean isResponse(byte[] octets) throws Exception {
    OCSPResp response = new OCSPResp(octets);
    BasicOCSPResp basic = (BasicOCSPResp) response.getResponseObject();
    return response.getStatus() == OCSPResp.SUCCESSFUL
        && basic.isSignatureValid(new JcaContentVerifierProviderBuilder().setProvider("BC").build(basic.getCerts()[0]));
  }
}
