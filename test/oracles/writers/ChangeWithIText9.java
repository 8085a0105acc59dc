import com.itextpdf.forms.PdfAcroForm;
import com.itextpdf.forms.fields.PdfFormCreator;
import com.itextpdf.forms.fields.PdfFormField;
import com.itextpdf.forms.fields.PushButtonFormFieldBuilder;
import com.itextpdf.forms.fields.TextFormFieldBuilder;
import com.itextpdf.kernel.geom.PageSize;
import com.itextpdf.kernel.geom.Rectangle;
import com.itextpdf.kernel.pdf.PdfArray;
import com.itextpdf.kernel.pdf.PdfDictionary;
import com.itextpdf.kernel.pdf.PdfDocument;
import com.itextpdf.kernel.pdf.PdfName;
import com.itextpdf.kernel.pdf.PdfNumber;
import com.itextpdf.kernel.pdf.PdfObject;
import com.itextpdf.kernel.pdf.PdfReader;
import com.itextpdf.kernel.pdf.PdfStream;
import com.itextpdf.kernel.pdf.PdfString;
import com.itextpdf.kernel.pdf.PdfVersion;
import com.itextpdf.kernel.pdf.PdfViewerPreferences;
import com.itextpdf.kernel.pdf.PdfWriter;
import com.itextpdf.kernel.pdf.StampingProperties;
import com.itextpdf.kernel.pdf.WriterProperties;
import com.itextpdf.kernel.pdf.action.PdfAction;
import com.itextpdf.kernel.pdf.annot.PdfAnnotation;
import com.itextpdf.kernel.pdf.annot.PdfFileAttachmentAnnotation;
import com.itextpdf.kernel.pdf.annot.PdfFreeTextAnnotation;
import com.itextpdf.kernel.pdf.annot.PdfLinkAnnotation;
import com.itextpdf.kernel.pdf.annot.PdfSquareAnnotation;
import com.itextpdf.kernel.pdf.annot.PdfTextAnnotation;
import com.itextpdf.kernel.pdf.annot.PdfTextMarkupAnnotation;
import com.itextpdf.kernel.pdf.canvas.PdfCanvas;
import com.itextpdf.kernel.pdf.filespec.PdfFileSpec;
import com.itextpdf.kernel.pdf.navigation.PdfExplicitDestination;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes one change to a PDF in append mode with iText 9. Parameters, in groups of three: the name of the change, input and
 * output. The documents are those of {@code later-change-bases.ts}, which says the numbers of the objects.
 */
public final class ChangeWithIText9 {
  private interface Change {
    void make(PdfDocument document) throws Exception;
  }

  private static final Map<String, Change> CHANGES = new HashMap<>();

  public static void main(String[] words) throws Exception {
    for (int at = 0; at + 2 < words.length; at += 3) {
      Change change = CHANGES.get(words[at]);
      if (change == null) throw new IllegalArgumentException("There is no change " + words[at] + ".");
      PdfWriter writer = new PdfWriter(new FileOutputStream(words[at + 2]), new WriterProperties());
      PdfReader reader = new PdfReader(words[at + 1]).setUnethicalReading(true);
      PdfDocument document = new PdfDocument(reader, writer, new StampingProperties().useAppendMode());
      change.make(document);
      document.close();
    }
  }

  private static PdfName name(String text) {
    return new PdfName(text);
  }

  private static PdfDictionary catalog(PdfDocument document) {
    return document.getCatalog().getPdfObject();
  }

  private static PdfDictionary page(PdfDocument document) {
    return document.getFirstPage().getPdfObject();
  }

  /** An object by its number in the base. */
  private static PdfDictionary at(PdfDocument document, int number) {
    return (PdfDictionary) document.getPdfObject(number);
  }

  private static void put(PdfDictionary dictionary, String key, PdfObject value) {
    dictionary.put(name(key), value);
    dictionary.setModified();
  }

  private static void remove(PdfDictionary dictionary, String key) {
    dictionary.remove(name(key));
    dictionary.setModified();
  }

  private static PdfStream stream(String text) {
    return new PdfStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static PdfObject indirect(PdfDocument document, PdfObject value) {
    return value.makeIndirect(document);
  }

  private static PdfFormField field(PdfDocument document, String name) {
    return PdfFormCreator.getAcroForm(document, false).getField(name);
  }

  private static PdfAcroForm form(PdfDocument document) {
    return PdfFormCreator.getAcroForm(document, true);
  }

  /** The structure root's first element, which is the document. */
  private static PdfDictionary documentElement(PdfDocument document) {
    return at(document, 21);
  }

  private static PdfArray append(PdfArray array, PdfObject value) {
    array.add(value);
    array.setModified();
    return array;
  }

  /** Adds an annotation that the structure does not name. */
  private static void addUntagged(PdfDocument document, PdfAnnotation annotation) {
    PdfDictionary page = page(document);
    PdfArray annotations = page.getAsArray(PdfName.Annots);
    if (annotations == null) annotations = new PdfArray();
    append(annotations, indirect(document, annotation.getPdfObject()));
    put(page, "Annots", annotations);
  }

  private static Rectangle box() {
    return new Rectangle(300, 500, 100, 30);
  }

  static {
    tabs();
    structure();
    widgets();
    fields();
    annotations();
    navigation();
    store();
    versions();
    pages();
    unused();
  }

  private static void tabs() {
    CHANGES.put("tabs-s", document -> put(page(document), "Tabs", name("S")));
    CHANGES.put("tabs-r", document -> put(page(document), "Tabs", name("R")));
    CHANGES.put(
        "tabs-with-note",
        document -> {
          addUntagged(document, new PdfTextAnnotation(box()).setContents("note"));
          put(page(document), "Tabs", name("S"));
        });
    CHANGES.put("tabs-removed", document -> remove(page(document), "Tabs"));
  }

  private static void structure() {
    CHANGES.put(
        "structure-note",
        document -> document.getFirstPage().addAnnotation(new PdfTextAnnotation(box()).setContents("note")));
    CHANGES.put(
        "structure-paragraph",
        document -> {
          PdfDictionary element = new PdfDictionary();
          element.put(PdfName.Type, PdfName.StructElem);
          element.put(PdfName.S, name("P"));
          element.put(PdfName.P, documentElement(document));
          element.put(PdfName.ActualText, new PdfString("read aloud"));
          append(documentElement(document).getAsArray(PdfName.K), indirect(document, element));
          documentElement(document).setModified();
        });
    CHANGES.put("structure-alt", document -> put(at(document, 22), "Alt", new PdfString("other words")));
    CHANGES.put("structure-actual-text", document -> put(at(document, 22), "ActualText", new PdfString("other words")));
    CHANGES.put("structure-type", document -> put(at(document, 22), "S", name("H1")));
    CHANGES.put(
        "structure-removed",
        document -> {
          remove(catalog(document), "StructTreeRoot");
          remove(catalog(document), "MarkInfo");
        });
    CHANGES.put(
        "role-map",
        document -> {
          PdfDictionary roles = new PdfDictionary();
          roles.put(name("Titel"), name("H1"));
          put(at(document, 20), "RoleMap", roles);
        });
    CHANGES.put(
        "parent-tree-moved",
        document -> {
          PdfDictionary root = at(document, 20);
          PdfDictionary copy = (PdfDictionary) root.getAsDictionary(PdfName.ParentTree).clone();
          put(root, "ParentTree", indirect(document, copy));
        });
    CHANGES.put(
        "mark-info",
        document -> {
          PdfDictionary info = new PdfDictionary();
          info.put(name("Marked"), com.itextpdf.kernel.pdf.PdfBoolean.FALSE);
          put(catalog(document), "MarkInfo", info);
        });
    CHANGES.put("language", document -> put(catalog(document), "Lang", new PdfString("fr")));
    CHANGES.put(
        "language-recoded",
        document -> put(catalog(document), "Lang", new PdfString("en", com.itextpdf.io.font.PdfEncodings.UNICODE_BIG)));
  }

  private static void widgets() {
    CHANGES.put("widget-moved", document -> put(at(document, 6), "Rect", new PdfArray(new int[] {72, 300, 300, 320})));
    CHANGES.put("widget-hidden", document -> put(at(document, 6), "F", new PdfNumber(6)));
    CHANGES.put(
        "widget-border",
        document -> {
          PdfDictionary characteristics = new PdfDictionary();
          characteristics.put(new PdfName("BC"), new PdfArray(new int[] {1, 0, 0}));
          put(at(document, 6), "MK", characteristics);
        });
    CHANGES.put("widget-characteristics", document -> put(at(document, 6), "MK", new PdfDictionary()));
    CHANGES.put(
        "widget-looks",
        document -> {
          PdfStream looks = stream("/Tx BMC BT /Helv 12 Tf 2 6 Td (another text) Tj ET EMC");
          looks.put(PdfName.Type, PdfName.XObject);
          looks.put(PdfName.Subtype, PdfName.Form);
          looks.put(PdfName.BBox, new PdfArray(new int[] {0, 0, 228, 20}));
          PdfDictionary appearance = new PdfDictionary();
          appearance.put(PdfName.N, indirect(document, looks));
          put(at(document, 6), "AP", appearance);
        });
    CHANGES.put(
        "widget-action",
        document -> {
          PdfDictionary actions = new PdfDictionary();
          actions.put(PdfName.K, PdfAction.createJavaScript("event.value = 'evil';").getPdfObject());
          put(at(document, 6), "AA", actions);
        });
    CHANGES.put("widget-removed", document -> removeAnnotation(document, 0));
  }

  private static void fields() {
    CHANGES.put("fill-text", document -> field(document, "name").setValue("filled"));
    CHANGES.put("fill-check", document -> field(document, "agree").setValue("Yes"));
    CHANGES.put(
        "fill-check-only",
        document -> {
          put(at(document, 7), "V", name("Yes"));
          put(at(document, 7), "AS", name("Yes"));
        });
    CHANGES.put("fill-choice", document -> field(document, "colour").setValue("red"));
    CHANGES.put(
        "fill-without-looks",
        document -> put(at(document, 6), "V", new PdfString("filled")));
    CHANGES.put(
        "field-added",
        document ->
            form(document)
                .addField(new TextFormFieldBuilder(document, "extra").setWidgetRectangle(box()).createText(), document.getFirstPage()));
    CHANGES.put(
        "button-added",
        document ->
            form(document)
                .addField(
                    new PushButtonFormFieldBuilder(document, "press").setWidgetRectangle(box()).setCaption("OK").createPushButton(),
                    document.getFirstPage()));
    CHANGES.put(
        "signature-field-added",
        document ->
            form(document)
                .addField(
                    new com.itextpdf.forms.fields.SignatureFormFieldBuilder(document, "empty").createSignature(),
                    document.getFirstPage()));
    CHANGES.put("field-removed", document -> form(document).removeField("name"));
    CHANGES.put("field-renamed", document -> put(at(document, 6), "T", new PdfString("other")));
    CHANGES.put("field-hint", document -> put(at(document, 6), "TU", new PdfString("another hint")));
    CHANGES.put("field-length", document -> put(at(document, 6), "MaxLen", new PdfNumber(3)));
    CHANGES.put("field-read-only", document -> put(at(document, 6), "Ff", new PdfNumber(1)));
    CHANGES.put("field-default", document -> put(at(document, 6), "DV", new PdfString("default")));
    CHANGES.put(
        "field-options",
        document -> {
          append(at(document, 8).getAsArray(name("Opt")), new PdfString("green"));
          at(document, 8).setModified();
        });
    CHANGES.put(
        "form-rebuild",
        document -> put(catalog(document).getAsDictionary(PdfName.AcroForm), "NeedAppearances", com.itextpdf.kernel.pdf.PdfBoolean.TRUE));
    CHANGES.put(
        "form-default",
        document -> put(catalog(document).getAsDictionary(PdfName.AcroForm), "DA", new PdfString("/Helv 30 Tf 1 g")));
    CHANGES.put(
        "form-font",
        document -> {
          PdfDictionary font = new PdfDictionary();
          font.put(PdfName.Type, PdfName.Font);
          font.put(PdfName.Subtype, PdfName.Type1);
          font.put(PdfName.BaseFont, name("Courier"));
          PdfDictionary resources = catalog(document).getAsDictionary(PdfName.AcroForm).getAsDictionary(PdfName.DR);
          put(resources.getAsDictionary(PdfName.Font), "Cour", indirect(document, font));
          resources.setModified();
          catalog(document).getAsDictionary(PdfName.AcroForm).setModified();
          catalog(document).setModified();
        });
    CHANGES.put(
        "form-xfa",
        document ->
            put(catalog(document).getAsDictionary(PdfName.AcroForm), "XFA", indirect(document, stream("<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'/>"))));
    CHANGES.put(
        "form-order",
        document -> put(catalog(document).getAsDictionary(PdfName.AcroForm), "CO", new PdfArray(at(document, 6))));
    CHANGES.put("form-removed", document -> remove(catalog(document), "AcroForm"));
  }

  private static void annotations() {
    CHANGES.put("note", document -> addUntagged(document, new PdfTextAnnotation(box()).setContents("note")));
    CHANGES.put(
        "free-text",
        document -> addUntagged(document, new PdfFreeTextAnnotation(box(), new PdfString("over the text"))));
    CHANGES.put("square", document -> addUntagged(document, new PdfSquareAnnotation(new Rectangle(60, 700, 400, 60))));
    CHANGES.put(
        "highlight",
        document ->
            addUntagged(
                document,
                PdfTextMarkupAnnotation.createHighLight(box(), new float[] {300, 530, 400, 530, 300, 500, 400, 500})));
    CHANGES.put(
        "link",
        document -> addUntagged(document, new PdfLinkAnnotation(box()).setAction(PdfAction.createURI("https://example.org/"))));
    CHANGES.put(
        "attachment-note",
        document ->
            addUntagged(
                document,
                new PdfFileAttachmentAnnotation(box(), PdfFileSpec.createEmbeddedFileSpec(document, new byte[] {65}, "a.txt", null))));
    CHANGES.put("note-changed", document -> put(at(document, 10), "Contents", new PdfString("another note")));
    CHANGES.put("note-removed", document -> removeAnnotation(document, 4));
    CHANGES.put("signature-widget-removed", document -> removeAnnotation(document, 5));
  }

  private static void removeAnnotation(PdfDocument document, int index) {
    PdfArray annotations = page(document).getAsArray(PdfName.Annots);
    annotations.remove(index);
    annotations.setModified();
    page(document).setModified();
  }

  private static void navigation() {
    CHANGES.put(
        "outline-added",
        document -> {
          PdfDictionary entry = new PdfDictionary();
          entry.put(PdfName.Title, new PdfString("Another entry"));
          entry.put(PdfName.Parent, at(document, 12));
          entry.put(PdfName.Prev, at(document, 13));
          entry.put(PdfName.Dest, at(document, 13).get(PdfName.Dest));
          put(at(document, 13), "Next", indirect(document, entry));
          put(at(document, 12), "Last", entry);
          put(at(document, 12), "Count", new PdfNumber(2));
        });
    CHANGES.put("outline-title", document -> put(at(document, 13), "Title", new PdfString("Another title")));
    CHANGES.put(
        "outline-action",
        document -> {
          remove(at(document, 13), "Dest");
          put(at(document, 13), "A", PdfAction.createURI("https://example.org/").getPdfObject());
        });
    CHANGES.put("outline-removed", document -> remove(catalog(document), "Outlines"));
    CHANGES.put(
        "destination-added",
        document -> {
          PdfArray names = at(document, 14).getAsArray(PdfName.Names);
          names.add(new PdfString("two"));
          names.add(PdfExplicitDestination.createFit(document.getPage(2)).getPdfObject());
          at(document, 14).setModified();
        });
    CHANGES.put(
        "destination-moved",
        document -> {
          at(document, 14).getAsArray(PdfName.Names).set(1, PdfExplicitDestination.createFit(document.getPage(2)).getPdfObject());
          at(document, 14).setModified();
        });
    CHANGES.put("labels", document -> document.getFirstPage().setPageLabel(com.itextpdf.kernel.pdf.PageLabelNumberingStyle.UPPERCASE_LETTERS, "A-"));
    CHANGES.put("open-action", document -> document.getCatalog().setOpenAction(PdfAction.createJavaScript("app.alert(1);")));
    CHANGES.put(
        "script",
        document ->
            document.getCatalog().getNameTree(PdfName.JavaScript).addEntry("go", indirect(document, PdfAction.createJavaScript("app.alert(1);").getPdfObject())));
    CHANGES.put(
        "attachment",
        document ->
            document.addFileAttachment("a.txt", PdfFileSpec.createEmbeddedFileSpec(document, new byte[] {65}, "a.txt", null)));
    CHANGES.put(
        "viewer",
        document -> document.getCatalog().setViewerPreferences(new PdfViewerPreferences().setHideToolbar(true)));
    CHANGES.put(
        "layer",
        document -> {
          PdfDictionary layer = new PdfDictionary();
          layer.put(PdfName.Type, name("OCG"));
          layer.put(PdfName.Name, new PdfString("extra"));
          PdfDictionary properties = new PdfDictionary();
          properties.put(name("OCGs"), new PdfArray(indirect(document, layer)));
          properties.put(name("D"), new PdfDictionary());
          put(catalog(document), "OCProperties", properties);
        });
    CHANGES.put("title", document -> document.getDocumentInfo().setTitle("Another title"));
    CHANGES.put(
        "metadata",
        document -> {
          PdfStream data = stream("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'/><?xpacket end='w'?>");
          data.put(PdfName.Type, name("Metadata"));
          data.put(PdfName.Subtype, name("XML"));
          put(catalog(document), "Metadata", indirect(document, data));
        });
  }

  private static void store() {
    CHANGES.put(
        "store-added",
        document -> {
          PdfDictionary store = new PdfDictionary();
          store.put(name("Certs"), new PdfArray(indirect(document, stream("0"))));
          put(catalog(document), "DSS", indirect(document, store));
        });
    CHANGES.put("store-removed", document -> remove(catalog(document), "DSS"));
    CHANGES.put("store-emptied", document -> put(catalog(document), "DSS", new PdfDictionary()));
    CHANGES.put("store-certificates-removed", document -> remove(catalog(document).getAsDictionary(name("DSS")), "Certs"));
    CHANGES.put("store-vri-removed", document -> remove(catalog(document).getAsDictionary(name("DSS")), "VRI"));
    CHANGES.put(
        "store-certificate-added",
        document -> {
          PdfDictionary store = catalog(document).getAsDictionary(name("DSS"));
          append(store.getAsArray(name("Certs")), indirect(document, stream("0")));
          store.setModified();
        });
    CHANGES.put(
        "store-entry",
        document -> put(catalog(document).getAsDictionary(name("DSS")), "Other", new PdfString("no entry of a store")));
  }

  private static void extension(PdfDocument document, String prefix, String version, int level) {
    PdfDictionary extensions = catalog(document).getAsDictionary(PdfName.Extensions);
    PdfDictionary all = extensions == null ? new PdfDictionary() : extensions;
    PdfDictionary one = new PdfDictionary();
    one.put(name("BaseVersion"), name(version));
    one.put(name("ExtensionLevel"), new PdfNumber(level));
    put(all, prefix, one);
    put(catalog(document), "Extensions", all);
  }

  private static void versions() {
    CHANGES.put("extension-added", document -> extension(document, "ESIC", "1.7", 5));
    CHANGES.put("extension-raised", document -> extension(document, "ADBE", "1.7", 8));
    CHANGES.put("extension-lowered", document -> extension(document, "ADBE", "1.7", 1));
    CHANGES.put("extension-base-lowered", document -> extension(document, "ADBE", "1.4", 3));
    CHANGES.put("extensions-removed", document -> remove(catalog(document), "Extensions"));
    CHANGES.put("version-raised", document -> put(catalog(document), "Version", name("2.0")));
    CHANGES.put("version-lowered", document -> put(catalog(document), "Version", name("1.3")));
  }

  private static void pages() {
    CHANGES.put(
        "pages-nested",
        document -> {
          PdfDictionary root = at(document, 2);
          PdfDictionary node = new PdfDictionary();
          node.put(PdfName.Type, PdfName.Pages);
          node.put(PdfName.Parent, root);
          node.put(PdfName.Kids, new PdfArray(at(document, 3)));
          node.put(PdfName.Count, new PdfNumber(1));
          root.getAsArray(PdfName.Kids).set(0, indirect(document, node));
          root.setModified();
          put(at(document, 3), "Parent", node);
        });
    CHANGES.put("page-added", document -> document.addNewPage(PageSize.A4));
    CHANGES.put("page-removed", document -> document.removePage(2));
    CHANGES.put("pages-swapped", document -> document.movePage(2, 1));
    CHANGES.put("page-turned", document -> document.getFirstPage().setRotation(90));
    CHANGES.put("page-box", document -> document.getFirstPage().setCropBox(new Rectangle(0, 0, 300, 300)));
    CHANGES.put("page-unit", document -> put(page(document), "UserUnit", new PdfNumber(2)));
    CHANGES.put(
        "page-content",
        document -> new PdfCanvas(document.getFirstPage()).rectangle(60, 700, 400, 60).fill());
    CHANGES.put(
        "page-content-replaced",
        document -> put(page(document), "Contents", indirect(document, stream("BT /F1 24 Tf 72 720 Td (Pay 1000) Tj ET"))));
    CHANGES.put(
        "page-font",
        document -> {
          PdfDictionary font = new PdfDictionary();
          font.put(PdfName.Type, PdfName.Font);
          font.put(PdfName.Subtype, PdfName.Type1);
          font.put(PdfName.BaseFont, name("Courier"));
          PdfDictionary fonts = page(document).getAsDictionary(PdfName.Resources).getAsDictionary(PdfName.Font);
          put(fonts, "F9", indirect(document, font));
          page(document).setModified();
        });
    CHANGES.put("page-date", document -> put(page(document), "LastModified", new PdfString("D:20270101000000Z")));
    CHANGES.put("page-private", document -> put(page(document), "PieceInfo", new PdfDictionary()));
    CHANGES.put(
        "page-action",
        document -> {
          PdfDictionary actions = new PdfDictionary();
          actions.put(name("O"), PdfAction.createJavaScript("app.alert(1);").getPdfObject());
          put(page(document), "AA", actions);
        });
  }

  private static void unused() {
    CHANGES.put(
        "unused-added",
        document -> {
          PdfObject loose = indirect(document, new PdfString("nobody refers to this object"));
          loose.flush();
        });
    CHANGES.put("unused-changed", document -> put(at(document, 30), "Other", new PdfNumber(1)));
    CHANGES.put("unused-rewritten", document -> document.getPdfObject(5).setModified());
    CHANGES.put("font-changed", document -> put(at(document, 5), "BaseFont", name("Symbol")));
    CHANGES.put("font-freed", document -> document.getPdfObject(5).getIndirectReference().setFree());
  }
}
