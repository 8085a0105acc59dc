import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/** A key made for one Java machine, and detached CMS signatures with it. */
final class TestSigner {
  private static final long DAY = 86_400_000L;
  private static TestSigner shared;
  private final KeyPair key;
  private final X509CertificateHolder certificate;

  /** The signer of this Java machine; making a key takes a second. */
  static TestSigner get() throws Exception {
    if (shared == null) shared = new TestSigner();
    return shared;
  }

  private TestSigner() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    key = generator.generateKeyPair();
    X500Name name = new X500Name("CN=Foreign writer");
    Date from = new Date(System.currentTimeMillis() - DAY);
    Date to = new Date(System.currentTimeMillis() + 30 * DAY);
    certificate =
        new JcaX509v3CertificateBuilder(name, BigInteger.ONE, from, to, name, key.getPublic()).build(signer());
  }

  private ContentSigner signer() throws Exception {
    return new JcaContentSignerBuilder("SHA256withRSA").build(key.getPrivate());
  }

  /** The certificate as DER. */
  byte[] certificate() throws IOException {
    return certificate.getEncoded();
  }

  /** The CMS over the whole content. */
  byte[] sign(InputStream content) throws IOException {
    try {
      CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
      generator.addSignerInfoGenerator(
          new JcaSignerInfoGeneratorBuilder(new JcaDigestCalculatorProviderBuilder().build())
              .build(signer(), certificate));
      generator.addCertificates(
          new JcaCertStore(List.of(new JcaX509CertificateConverter().getCertificate(certificate))));
      return generator.generate(new CMSProcessableByteArray(content.readAllBytes()), false).getEncoded("DER");
    } catch (Exception error) {
      throw new IOException(error);
    }
  }
}
