import com.itextpdf.forms.PdfAcroForm;
import com.itextpdf.forms.PdfSigFieldLock;
import com.itextpdf.forms.fields.PdfFormCreator;
import com.itextpdf.forms.fields.PdfFormField;
import com.itextpdf.forms.fields.PdfTextFormField;
import com.itextpdf.forms.form.element.SignatureFieldAppearance;
import com.itextpdf.io.font.PdfEncodings;
import com.itextpdf.kernel.font.PdfFontFactory;
import com.itextpdf.kernel.geom.Rectangle;
import com.itextpdf.kernel.pdf.PdfDictionary;
import com.itextpdf.kernel.pdf.PdfDocument;
import com.itextpdf.kernel.pdf.PdfName;
import com.itextpdf.kernel.pdf.PdfReader;
import com.itextpdf.kernel.pdf.PdfWriter;
import com.itextpdf.kernel.pdf.ReaderProperties;
import com.itextpdf.kernel.pdf.StampingProperties;
import com.itextpdf.kernel.pdf.WriterProperties;
import com.itextpdf.kernel.pdf.annot.PdfAnnotation;
import com.itextpdf.kernel.pdf.annot.PdfTextAnnotation;
import com.itextpdf.kernel.pdf.canvas.PdfCanvas;
import com.itextpdf.kernel.pdf.xobject.PdfFormXObject;
import com.itextpdf.signatures.IExternalSignatureContainer;
import com.itextpdf.signatures.LtvVerification;
import com.itextpdf.signatures.PdfSigner;
import com.itextpdf.signatures.SignatureUtil;
import com.itextpdf.signatures.SignerProperties;
import com.itextpdf.signatures.TSAClientBouncyCastle;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;

/**
 * Changes PDFs in append mode with iText 9. Parameters: the address of a time-stamp authority and the path of a font for visible signatures; then, in groups of four: an operation of {@code ForeignChange}, input, output and password ("" for none). "extend"
 * adds a certificate to the security store.
 */
public final class SignWithIText9 {
  private static final int ROOM = 8192;

  public static void main(String[] words) throws Exception {
    TestSigner signer = TestSigner.get();
    for (int at = 2; at + 3 < words.length; at += 4) {
      ReaderProperties properties = new ReaderProperties();
      if (!words[at + 3].isEmpty()) properties.setPassword(words[at + 3].getBytes("UTF-8"));
      PdfReader reader = new PdfReader(words[at + 1], properties);
      FileOutputStream output = new FileOutputStream(words[at + 2]);
      switch (words[at]) {
        case "fill":
          fill(open(reader, output));
          break;
        case "comment":
          comment(open(reader, output));
          break;
        case "extend":
          extend(open(reader, output), signer);
          break;
        default:
          sign(reader, output, words[at], signer, words);
      }
    }
  }

  private static PdfDocument open(PdfReader reader, FileOutputStream output) throws Exception {
    return new PdfDocument(reader, new PdfWriter(output, new WriterProperties()), new StampingProperties().useAppendMode());
  }

  private static void fill(PdfDocument document) {
    PdfAcroForm form = PdfFormCreator.getAcroForm(document, false);
    if (form != null) {
      for (Map.Entry<String, PdfFormField> entry : form.getAllFormFields().entrySet()) {
        if (entry.getValue() instanceof PdfTextFormField) entry.getValue().setValue("filled");
      }
    }
    document.close();
  }

  private static void comment(PdfDocument document) {
    PdfAnnotation note = new PdfTextAnnotation(new Rectangle(400, 700, 20, 20)).setContents("A note");
    // PDF/A demands an appearance, and flags: printed, neither zoomed nor turned.
    PdfFormXObject looks = new PdfFormXObject(new Rectangle(20, 20));
    new PdfCanvas(looks, document).rectangle(2, 2, 16, 16).stroke();
    note.setNormalAppearance(looks.getPdfObject());
    document.getFirstPage().addAnnotation(note.setFlags(PdfAnnotation.PRINT | PdfAnnotation.NO_ZOOM | PdfAnnotation.NO_ROTATE));
    document.close();
  }

  private static void extend(PdfDocument document, TestSigner signer) throws Exception {
    List<String> names = new SignatureUtil(document).getSignatureNames();
    LtvVerification store = new LtvVerification(document);
    store.addVerification(names.get(names.size() - 1), List.of(), List.of(), List.of(signer.certificate()));
    store.merge();
    document.close();
  }

  private static void sign(PdfReader reader, FileOutputStream output, String operation, TestSigner key, String[] means)
      throws Exception {
    PdfSigner signer = new PdfSigner(reader, output, new StampingProperties().useAppendMode());
    int count = new SignatureUtil(signer.getDocument()).getSignatureNames().size();
    SignerProperties properties = new SignerProperties().setFieldName("itext9-" + (count + 1)).setReason("foreign");
    if (operation.equals("visible")) {
      properties.setPageNumber(1).setPageRect(new Rectangle(30 + 110 * count, 170, 100, 40));
      SignatureFieldAppearance looks = new SignatureFieldAppearance(SignerProperties.IGNORED_ID);
      // PDF/A demands embedded fonts.
      looks.setFont(PdfFontFactory.createFont(means[1], PdfEncodings.IDENTITY_H, PdfFontFactory.EmbeddingStrategy.FORCE_EMBEDDED));
      properties.setSignatureAppearance(looks.setContent("Signed with iText 9"));
    }
    if (operation.equals("lock") || operation.equals("lock-others")) {
      PdfSigFieldLock.LockAction action =
          operation.equals("lock") ? PdfSigFieldLock.LockAction.INCLUDE : PdfSigFieldLock.LockAction.EXCLUDE;
      properties.setFieldLockDict(new PdfSigFieldLock().setFieldLock(action, "name"));
    }
    signer.setSignerProperties(properties);
    if (operation.equals("timestamp")) signer.timestamp(new TSAClientBouncyCastle(means[0]), null);
    else signer.signExternalContainer(new Container(key), ROOM);
  }

  private static final class Container implements IExternalSignatureContainer {
    private final TestSigner key;

    Container(TestSigner key) {
      this.key = key;
    }

    @Override
    public byte[] sign(InputStream data) throws GeneralSecurityException {
      try {
        return key.sign(new ByteArrayInputStream(data.readAllBytes()));
      } catch (java.io.IOException error) {
        throw new GeneralSecurityException(error);
      }
    }

    @Override
    public void modifySigningDictionary(PdfDictionary dictionary) {
      dictionary.put(PdfName.Filter, PdfName.Adobe_PPKLite);
      dictionary.put(PdfName.SubFilter, PdfName.Adbe_pkcs7_detached);
    }
  }
}
