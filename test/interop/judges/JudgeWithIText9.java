import com.itextpdf.kernel.pdf.PdfDocument;
import com.itextpdf.kernel.pdf.PdfReader;
import com.itextpdf.signatures.validation.ValidatorChainBuilder;
import com.itextpdf.signatures.validation.context.CertificateSource;
import com.itextpdf.signatures.validation.context.TimeBasedContext;
import com.itextpdf.signatures.validation.context.ValidationContext;
import com.itextpdf.signatures.validation.context.ValidatorContext;
import com.itextpdf.signatures.validation.report.ReportItem;
import com.itextpdf.signatures.validation.report.ValidationReport;

/**
 * iText 9 as a judge of later revisions: the parameters are files. Prints {@code allowed}, or {@code forbidden} with the
 * reasons, for each file.
 */
public final class JudgeWithIText9 {
  public static void main(String[] words) {
    for (String path : words) System.out.println(judge(path));
  }

  private static String judge(String path) {
    try (PdfDocument document = new PdfDocument(new PdfReader(path))) {
      ValidationContext context =
          new ValidationContext(
              ValidatorContext.DOCUMENT_REVISIONS_VALIDATOR, CertificateSource.SIGNER_CERT, TimeBasedContext.PRESENT);
      ValidationReport report =
          new ValidatorChainBuilder().buildDocumentRevisionsValidator().validateAllDocumentRevisions(context, document);
      if (report.getValidationResult() == ValidationReport.ValidationResult.VALID) return "allowed";
      StringBuilder reasons = new StringBuilder("forbidden");
      for (ReportItem item : report.getFailures()) reasons.append(' ').append(item.getMessage().replace('\n', ' '));
      return reasons.toString();
    } catch (Exception error) {
      return "forbidden " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }
}
