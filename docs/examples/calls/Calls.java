// The eight calls that most programs make, with Java 17 or newer and no library. Read JSON with the library of your project.

// [begin]
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Calls {
  static final String BASE = System.getenv().getOrDefault("SINETE_ADDRESS", "http://127.0.0.1:17171");
  static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static byte[] call(HttpRequest.Builder request) throws Exception {
    HttpResponse<byte[]> answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() >= 300) throw new IllegalStateException(new String(answer.body(), StandardCharsets.UTF_8));
    return answer.body();
  }

  static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(BASE + path));
  }

  /** The first text with this name. */
  static String field(byte[] json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(new String(json, StandardCharsets.UTF_8));
    if (!found.find()) throw new IllegalStateException("There is no " + name + ".");
    return found.group(1);
  }

  // [one-call]
  static byte[] signInOneCall(byte[] pdf) throws Exception {
    String body = "{\"type\":\"PAdES\",\"documents_source\":\"DATA_URL\",\"mode\":\"sync\",\"documents\":\"data:application/pdf;base64,"
        + Base64.getEncoder().encodeToString(pdf) + "\"}";
    byte[] answer = call(to("/signature-service").header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body)));
    if (!field(answer, "status").equals("SIGNED")) throw new IllegalStateException("Not signed: query the transaction.");
    return download(field(answer, "tcn"), "0");
  }

  // [create]
  static String create(String settings) throws Exception {
    String body = "{\"type\":\"PAdES\",\"documents_source\":\"UPLOAD_REFERENCE\",\"signature_settings\":" + settings + "}";
    return field(call(to("/signature-service").header("Content-Type", "application/json")
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .POST(HttpRequest.BodyPublishers.ofString(body))), "tcn");
  }

  // [upload]
  static void upload(String tcn, Path pdf) throws Exception {
    // The body is the document, and its name is in Content-Disposition; continue instead of eot: more follow.
    String name = URLEncoder.encode(pdf.getFileName().toString(), StandardCharsets.UTF_8).replace("+", "%20");
    call(to("/file-transfer/" + tcn + "/eot").header("Content-Type", "application/pdf")
        .header("Content-Disposition", "attachment; filename*=UTF-8''" + name)
        .POST(HttpRequest.BodyPublishers.ofFile(pdf)));
  }

  // [query]
  static byte[] waitUntilFinished(String tcn) throws Exception {
    while (true) {
      byte[] transaction = call(to("/signature-service/" + tcn + "?wait=60"));
      if (!field(transaction, "status").equals("WAITING")) return transaction;
    }
  }

  // [download]
  static byte[] download(String tcn, String id) throws Exception {
    return call(to("/file-transfer/" + tcn + "/" + id));
  }

  // [validate]
  static String validate(byte[] signed) throws Exception {
    String boundary = UUID.randomUUID().toString();
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    form.writeBytes(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nPAdES\r\n--" + boundary
        + "\r\nContent-Disposition: form-data; name=\"signature\"; filename=\"signed.pdf\"\r\n\r\n").getBytes());
    form.writeBytes(signed);
    form.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes());
    byte[] verdict = call(to("/validator-service").header("Content-Type", "multipart/form-data; boundary=" + boundary)
        .POST(HttpRequest.BodyPublishers.ofByteArray(form.toByteArray())));
    return field(verdict, "code"); // 1185: every signature is intact
  }

  // [token]
  static String exchangeCode(String code, String verifier, Map<String, String> application) throws Exception {
    Map<String, String> form = new java.util.HashMap<>(application);
    form.putAll(Map.of("grant_type", "authorization_code", "code", code, "code_verifier", verifier));
    String body = form.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
    return field(call(to("/oauth").header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(body))), "access_token"); // Authorization: Bearer …
  }

  // [callback]
  static void verifyCallback(Map<String, String> headers, byte[] body, String secret) throws Exception {
    String id = headers.get("webhook-id");
    String time = headers.get("webhook-timestamp");
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(time)) > 300)
      throw new SecurityException("The callback is too old.");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
    mac.update((id + "." + time + ".").getBytes(StandardCharsets.UTF_8));
    byte[] wanted = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
    boolean isGenuine = false;
    for (String given : headers.get("webhook-signature").split(" "))
      isGenuine |= MessageDigest.isEqual(wanted, given.getBytes());
    if (!isGenuine) throw new SecurityException("The callback is not genuine.");
  }

  // [end]
  public static void main(String[] words) throws Exception {
    Map<String, String> env = System.getenv();
    Path contract = Path.of("contract.pdf");
    Files.write(Path.of("one-call.pdf"), signInOneCall(Files.readAllBytes(contract)));
    String tcn = create("{\"reason\":\"I agree\"}");
    upload(tcn, contract);
    waitUntilFinished(tcn);
    byte[] signed = download(tcn, "0");
    Files.write(Path.of("four-steps.pdf"), signed);
    System.out.println("integrity " + validate(signed));
    Map<String, String> application = Map.of("client_id", env.get("CLIENT_ID"), "client_secret", env.get("CLIENT_SECRET"),
        "redirect_uri", env.get("REDIRECT_URI"));
    System.out.println("token " + !exchangeCode(env.get("CODE"), env.get("CODE_VERIFIER"), application).isEmpty());
    Map<String, String> headers = Map.of("webhook-id", env.get("WEBHOOK_ID"), "webhook-timestamp",
        env.get("WEBHOOK_TIMESTAMP"), "webhook-signature", env.get("WEBHOOK_SIGNATURE"));
    byte[] body = env.get("WEBHOOK_BODY").getBytes(StandardCharsets.UTF_8);
    verifyCallback(headers, body, env.get("WEBHOOK_SECRET"));
    System.out.println("callback " + field(body, "status"));
    try {
      verifyCallback(headers, (env.get("WEBHOOK_BODY") + " ").getBytes(), env.get("WEBHOOK_SECRET"));
    } catch (SecurityException error) {
      System.out.println("forged " + error.getMessage());
    }
  }
}
