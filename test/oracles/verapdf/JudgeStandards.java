import java.io.File;
import java.util.List;
import java.util.TreeSet;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/**
 * veraPDF as a judge of PDF/A and PDF/UA. Parameters: paths. Prints a line for each: for each standard that the file
 * claims, separated by tabs, its name in veraPDF ("1b", "ua1"), a colon, and the broken rules separated by spaces
 * (nothing for a file that keeps the standard); "none" without a claim, or "ERROR" with a reason.
 */
final class JudgeStandards {
  private static final int MAX_FAILURES = 100;

  public static void main(String[] paths) {
    VeraGreenfieldFoundryProvider.initialise();
    for (String path : paths) System.out.println(judge(path));
  }

  private static String judge(String path) {
    try (PDFAParser parser = Foundries.defaultInstance().createParser(new File(path))) {
      List<PDFAFlavour> flavours = parser.getFlavours();
      StringBuilder line = new StringBuilder();
      for (ValidationResult result :
          Foundries.defaultInstance().createValidator(flavours, MAX_FAILURES, false, true, false).validateAll(parser)) {
        TreeSet<String> broken = new TreeSet<>();
        for (TestAssertion assertion : result.getTestAssertions()) {
          broken.add(assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber());
        }
        if (broken.isEmpty() && !result.isCompliant()) broken.add("not-compliant");
        line.append(line.length() == 0 ? "" : "\t").append(result.getPDFAFlavour().getId()).append(':');
        line.append(String.join(" ", broken));
      }
      return line.length() == 0 ? "none" : line.toString();
    } catch (Exception error) {
      return "ERROR " + String.valueOf(error.getMessage()).replace('\n', ' ');
    }
  }
}
