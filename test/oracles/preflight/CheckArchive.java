import java.io.File;
import org.apache.pdfbox.preflight.Format;
import org.apache.pdfbox.preflight.PreflightDocument;
import org.apache.pdfbox.preflight.ValidationResult;
import org.apache.pdfbox.preflight.parser.PreflightParser;

/** Prints what PDFBox Preflight finds wrong with a PDF/A-1b, a line for each finding. */
class CheckArchive {
  public static void main(String[] arguments) throws Exception {
    PreflightParser parser = new PreflightParser(new File(arguments[0]));
    parser.parse(Format.PDF_A1B);
    try (PreflightDocument document = parser.getPreflightDocument()) {
      document.validate();
      for (ValidationResult.ValidationError error : document.getResult().getErrorsList()) {
        System.out.println(error.getErrorCode() + " " + error.getDetails());
      }
    }
  }
}
