import java.awt.image.BufferedImage;
import java.io.File;
import java.io.FileOutputStream;
import java.util.Calendar;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.SignatureOptions;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.visible.PDVisibleSigProperties;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.visible.PDVisibleSignDesigner;

/**
 * Signs PDFs incrementally with PDFBox. Parameters, in groups of four: "sign" or "visible"; input; output; password
 * ("" for none).
 */
final class SignWithPdfBox {
  public static void main(String[] words) throws Exception {
    System.setProperty("java.awt.headless", "true");
    TestSigner signer = TestSigner.get();
    for (int at = 0; at + 3 < words.length; at += 4) {
      try (PDDocument document = PDDocument.load(new File(words[at + 1]), words[at + 3]);
          FileOutputStream output = new FileOutputStream(words[at + 2])) {
        sign(document, output, words[at].equals("visible"), signer);
      }
    }
  }

  private static void sign(PDDocument document, FileOutputStream output, boolean visible, TestSigner signer)
      throws Exception {
    PDSignature signature = new PDSignature();
    signature.setFilter(PDSignature.FILTER_ADOBE_PPKLITE);
    signature.setSubFilter(PDSignature.SUBFILTER_ADBE_PKCS7_DETACHED);
    signature.setSignDate(Calendar.getInstance());
    SignatureOptions options = new SignatureOptions();
    options.setPreferredSignatureSize(16_384);
    if (visible) {
      int count = document.getSignatureDictionaries().size();
      BufferedImage image = new BufferedImage(40, 20, BufferedImage.TYPE_INT_RGB);
      PDVisibleSignDesigner designer = new PDVisibleSignDesigner(document, image, 1);
      designer.xAxis(30 + 110 * count).yAxis(700).width(100).height(40).signatureFieldName("pdfbox" + (count + 1));
      PDVisibleSigProperties properties = new PDVisibleSigProperties();
      properties.signerName("Foreign").page(1).visualSignEnabled(true).setPdVisibleSignature(designer);
      properties.buildSignature();
      options.setVisualSignature(properties.getVisibleSignature());
      options.setPage(0);
    }
    document.addSignature(signature, signer::sign, options);
    document.saveIncremental(output);
    options.close();
  }
}
