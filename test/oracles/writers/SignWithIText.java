import com.itextpdf.text.Rectangle;
import com.itextpdf.text.pdf.AcroFields;
import com.itextpdf.text.pdf.PdfAnnotation;
import com.itextpdf.text.pdf.PdfDictionary;
import com.itextpdf.text.pdf.PdfName;
import com.itextpdf.text.pdf.PdfReader;
import com.itextpdf.text.pdf.PdfSigLockDictionary;
import com.itextpdf.text.pdf.PdfSignature;
import com.itextpdf.text.pdf.PdfSignatureAppearance;
import com.itextpdf.text.pdf.PdfStamper;
import com.itextpdf.text.pdf.PdfString;
import java.io.FileOutputStream;
import java.util.HashMap;

/**
 * Changes PDFs in append mode with iText 5. Parameters, in groups of four: "sign", "visible", "lock", "fill" or
 * "comment"; input; output; password ("" for none). "lock" signs and locks the field "name", "fill" gives every text
 * field a value, "comment" adds a note.
 */
final class SignWithIText {
  private static final int ROOM = 8192;

  public static void main(String[] words) throws Exception {
    TestSigner signer = TestSigner.get();
    for (int at = 0; at + 3 < words.length; at += 4) {
      byte[] password = words[at + 3].isEmpty() ? null : words[at + 3].getBytes("ISO-8859-1");
      PdfReader reader = new PdfReader(words[at + 1], password);
      if (words[at].equals("fill")) fill(reader, words[at + 2]);
      else if (words[at].equals("comment")) comment(reader, words[at + 2]);
      else sign(reader, words[at + 2], words[at], signer);
    }
  }

  private static void fill(PdfReader reader, String output) throws Exception {
    PdfStamper stamper = new PdfStamper(reader, new FileOutputStream(output), '\0', true);
    AcroFields fields = stamper.getAcroFields();
    for (String name : fields.getFields().keySet()) {
      if (fields.getFieldType(name) == AcroFields.FIELD_TYPE_TEXT) fields.setField(name, "filled");
    }
    stamper.close();
  }

  private static void comment(PdfReader reader, String output) throws Exception {
    PdfStamper stamper = new PdfStamper(reader, new FileOutputStream(output), '\0', true);
    Rectangle place = new Rectangle(400, 700, 420, 720);
    stamper.addAnnotation(PdfAnnotation.createText(stamper.getWriter(), place, "Note", "A note", false, "Note"), 1);
    stamper.close();
  }

  private static void sign(PdfReader reader, String output, String operation, TestSigner signer) throws Exception {
    PdfStamper stamper = PdfStamper.createSignature(reader, new FileOutputStream(output), '\0', null, true);
    PdfSignatureAppearance appearance = stamper.getSignatureAppearance();
    appearance.setReason("foreign");
    int count = reader.getAcroFields().getSignatureNames().size();
    String name = "itext" + (count + 1);
    if (operation.equals("lock")) {
      appearance.setFieldLockDict(new PdfSigLockDictionary(PdfSigLockDictionary.LockAction.INCLUDE, "name"));
    }
    if (operation.equals("visible")) {
      appearance.setLayer2Text("Signed with iText");
      appearance.setVisibleSignature(new Rectangle(30 + 110 * count, 30, 130 + 110 * count, 70), 1, name);
    }
    PdfSignature dictionary = new PdfSignature(PdfName.ADOBE_PPKLITE, PdfName.ADBE_PKCS7_DETACHED);
    dictionary.setReason("foreign");
    appearance.setCryptoDictionary(dictionary);
    HashMap<PdfName, Integer> room = new HashMap<>();
    room.put(PdfName.CONTENTS, 2 * ROOM + 2);
    appearance.preClose(room);
    byte[] signature = signer.sign(appearance.getRangeStream());
    byte[] padded = new byte[ROOM];
    System.arraycopy(signature, 0, padded, 0, signature.length);
    PdfDictionary update = new PdfDictionary();
    update.put(PdfName.CONTENTS, new PdfString(padded).setHexWriting(true));
    appearance.close(update);
  }
}
