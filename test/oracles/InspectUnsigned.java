import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.tsp.TimeStampToken;

/**
 * Lists the unsigned attributes of CMS signatures with Bouncy Castle, and verifies the time stamps on the signature
 * values. Arguments: paths. Prints one line for each signer: the path's position, the attribute types joined by commas or
 * "-", then for each signature time stamp "true" or "false", then the counter-signatures, "counter=true" or
 * "counter=false".
 */
public final class InspectUnsigned {
  public static void main(String[] paths) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    for (int index = 0; index < paths.length; index++) {
      CMSSignedData signedData = new CMSSignedData(Files.readAllBytes(Path.of(paths[index])));
      for (SignerInformation signer : signedData.getSignerInfos().getSigners()) {
        System.out.println(index + " " + describe(signedData, signer));
      }
    }
  }

  private static String describe(CMSSignedData signedData, SignerInformation signer) throws Exception {
    AttributeTable table = signer.getUnsignedAttributes();
    List<String> types = new ArrayList<>();
    List<String> verdicts = new ArrayList<>();
    if (table != null) {
      for (Attribute attribute : table.toASN1Structure().getAttributes()) {
        types.add(attribute.getAttrType().getId());
        if (attribute.getAttrType().equals(PKCSObjectIdentifiers.id_aa_signatureTimeStampToken)) {
          for (ASN1Encodable value : attribute.getAttributeValues()) {
            verdicts.add(String.valueOf(stamps(value, signer.getSignature())));
          }
        }
      }
    }
    for (SignerInformation counter : signer.getCounterSignatures().getSigners()) {
      verdicts.add("counter=" + verify(signedData, counter));
    }
    return (types.isEmpty() ? "-" : String.join(",", types)) + " " + String.join(" ", verdicts);
  }

  private static boolean stamps(ASN1Encodable value, byte[] signature) throws Exception {
    TimeStampToken token = new TimeStampToken(ContentInfo.getInstance(value));
    String algorithm = token.getTimeStampInfo().getMessageImprintAlgOID().getId();
    byte[] digest = MessageDigest.getInstance(algorithm, "BC").digest(signature);
    X509CertificateHolder certificate =
        (X509CertificateHolder) token.getCertificates().getMatches(token.getSID()).iterator().next();
    token.validate(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(certificate));
    return Arrays.equals(digest, token.getTimeStampInfo().getMessageImprintDigest());
  }

  private static boolean verify(CMSSignedData signedData, SignerInformation counter) throws Exception {
    X509CertificateHolder certificate =
        (X509CertificateHolder) signedData.getCertificates().getMatches(counter.getSID()).iterator().next();
    return counter.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(certificate));
  }
}
