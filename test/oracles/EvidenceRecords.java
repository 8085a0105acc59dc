import java.nio.file.Files;
import java.nio.file.Path;
import java.math.BigInteger;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.DigestCalculator;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.tsp.TimeStampRequest;
import org.bouncycastle.tsp.TimeStampRequestGenerator;
import org.bouncycastle.tsp.TimeStampResponse;
import org.bouncycastle.tsp.ers.ERSArchiveTimeStamp;
import org.bouncycastle.tsp.ers.ERSArchiveTimeStampGenerator;
import org.bouncycastle.tsp.ers.ERSByteData;
import org.bouncycastle.tsp.ers.ERSData;
import org.bouncycastle.tsp.ers.ERSDataGroup;
import org.bouncycastle.tsp.ers.ERSEvidenceRecord;
import org.bouncycastle.tsp.ers.ERSEvidenceRecordGenerator;

/**
 * Makes and verifies evidence records (RFC 4998) with Bouncy Castle. The first argument is the action; files by their
 * paths, hash functions by their OIDs. A file name with commas is a group of files. Actions that ask print the request
 * for the time stamp authority, or with a response the new record, in hexadecimal digits; "verify" prints whether the
 * record is over the data and its last time stamp holds.
 */
public final class EvidenceRecords {
  private static DigestCalculatorProvider digests;

  public static void main(String[] words) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    digests = new JcaDigestCalculatorProviderBuilder().setProvider("BC").build();
    switch (words[0]) {
      case "make" -> make(words[1], words[2], Arrays.asList(words).subList(3, words.length));
      case "renew" -> renew(words[1], words[2]);
      case "rehash" -> rehash(words[1], words[2], words[3], words[4]);
      case "verify" -> verify(words[1], words[2]);
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private static TimeStampRequestGenerator requests() {
    TimeStampRequestGenerator generator = new TimeStampRequestGenerator();
    generator.setCertReq(true);
    return generator;
  }

  private static byte[] read(String path) throws Exception {
    return Files.readAllBytes(Path.of(path));
  }

  private static ERSData data(String name) throws Exception {
    String[] paths = name.split(",");
    if (paths.length == 1) {
      return new ERSByteData(read(name));
    }
    List<ERSData> parts = new ArrayList<>();
    for (String path : paths) {
      parts.add(new ERSByteData(read(path)));
    }
    return new ERSDataGroup(parts);
  }

  private static DigestCalculator digest(String oid) throws Exception {
    return digests.get(new AlgorithmIdentifier(new ASN1ObjectIdentifier(oid), DERNull.INSTANCE));
  }

  private static void print(byte[] bytes) {
    System.out.println(HexFormat.of().formatHex(bytes));
  }

  /** One line for each record: of each file or group, in no certain order. */
  private static void make(String oid, String response, List<String> names) throws Exception {
    ERSArchiveTimeStampGenerator generator = new ERSArchiveTimeStampGenerator(digest(oid));
    for (String name : names) {
      generator.addData(data(name));
    }
    TimeStampRequest request = generator.generateTimeStampRequest(requests(), BigInteger.ONE);
    if (response.equals("-")) {
      print(request.getEncoded());
      return;
    }
    TimeStampResponse answer = new TimeStampResponse(read(response));
    for (ERSArchiveTimeStamp stamp : generator.generateArchiveTimeStamps(answer)) {
      print(new ERSEvidenceRecordGenerator(digests).generate(stamp).getEncoded());
    }
  }

  private static void renew(String path, String response) throws Exception {
    ERSEvidenceRecord record = new ERSEvidenceRecord(read(path), digests);
    if (response.equals("-")) {
      print(record.generateTimeStampRenewalRequest(requests(), BigInteger.ONE).getEncoded());
      return;
    }
    print(record.renewTimeStamp(new TimeStampResponse(read(response))).getEncoded());
  }

  private static void rehash(String oid, String path, String response, String name) throws Exception {
    ERSEvidenceRecord record = new ERSEvidenceRecord(read(path), digests);
    if (response.equals("-")) {
      print(record.generateHashRenewalRequest(digest(oid), data(name), requests(), BigInteger.ONE).getEncoded());
      return;
    }
    print(record.renewHash(digest(oid), data(name), new TimeStampResponse(read(response))).getEncoded());
  }

  private static void verify(String path, String name) {
    try {
      ERSEvidenceRecord record = new ERSEvidenceRecord(read(path), digests);
      X509CertificateHolder authority = record.getSigningCertificate();
      record.validate(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(authority));
      record.validatePresent(data(name), new Date(4102444800000L));
      System.out.println("true");
    } catch (Exception exception) {
      System.out.println("false " + exception.getMessage());
    }
  }
}
