package javax.xml.bind;

import java.util.HexFormat;

/** The part of JAXB that PDFBox Preflight reads numbers and digests with; Java 11 and later lack it. */
public final class DatatypeConverter {
  private DatatypeConverter() {}

  public static String printHexBinary(byte[] octets) {
    return HexFormat.of().withUpperCase().formatHex(octets);
  }

  public static int parseInt(String digits) {
    return Integer.parseInt(digits.trim());
  }

  public static byte[] parseHexBinary(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
