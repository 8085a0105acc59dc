import java.io.File;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.SigningServiceApi;
import org.openapitools.client.model.CreateTransaction;
import org.openapitools.client.model.DocumentEntry;

/** Signs a PDF with openapi-generator's client for Java: create, upload, query, download. */
public final class SignFirst {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    boolean isNative = java.util.Arrays.stream(ApiClient.class.getMethods()).anyMatch(method -> method.getName().equals("updateBaseUri"));
    ApiClient.class.getMethod(isNative ? "updateBaseUri" : "setBasePath", String.class).invoke(client, arguments[0]);
    SigningServiceApi api = new SigningServiceApi(client);
    CreateTransaction request = new CreateTransaction()
        .type(CreateTransaction.TypeEnum.fromValue("PAdES"))
        .documentsSource(CreateTransaction.DocumentsSourceEnum.fromValue("UPLOAD_REFERENCE"));
    String tcn = api.createTransaction(request, null, null, null).getTcn();
    api.uploadToOnlySetting(tcn, "eot", new File(arguments[1]));
    DocumentEntry document = api.queryTransaction(tcn, 60L, null, null).getDocuments().get(0);
    File signed = api.downloadDocument(tcn, document.getId());
    Files.copy(signed.toPath(), Paths.get(arguments[2]), StandardCopyOption.REPLACE_EXISTING);
    System.exit(0);
  }
}
