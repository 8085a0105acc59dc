// A web service that signs PDFs, with Java 17 or newer and no library: java Service.java
//   curl --data-binary @contract.pdf -H 'Content-Type: application/pdf' http://127.0.0.1:3000/sign -o signed.pdf
// Read JSON with the library of your project; `field` below finds the first text of a name.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Service {
  static final String SINETE = System.getenv().getOrDefault("SINETE_ADDRESS", "http://127.0.0.1:17171");
  /** The webhook_secret of the application, whsec_… */
  static final String SECRET = System.getenv().getOrDefault("SINETE_WEBHOOK_SECRET", "");
  /** Sinete base64(client_id:client_secret), or Bearer … */
  static final String CREDENTIALS = System.getenv("SINETE_AUTHORIZATION");
  static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static String field(byte[] json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)").matcher(new String(json, StandardCharsets.UTF_8));
    return found.find() ? found.group(1) : "";
  }

  static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) exchange.getResponseBody().write(body);
    exchange.close();
  }

  static void sign(HttpExchange exchange) throws Exception {
    String pdf = Base64.getEncoder().encodeToString(exchange.getRequestBody().readAllBytes());
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(SINETE + "/signature-service"))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"PAdES\",\"documents_source\":\"DATA_URL\",\"mode\":\"sync\","
            + "\"documents\":\"data:application/pdf;base64," + pdf + "\"}"));
    if (CREDENTIALS != null) request.header("Authorization", CREDENTIALS);
    HttpResponse<byte[]> created = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    String status = field(created.body(), "status");
    if (created.statusCode() != 201) answer(exchange, 502, "application/json", created.body());
    // The document waits for a person longer than the call: the application comes back, or is told by a callback.
    else if (status.equals("WAITING")) answer(exchange, 202, "application/json", created.body());
    else if (status.equals("ERROR")) answer(exchange, 422, "application/json", created.body());
    else {
      URI result = URI.create(field(created.body(), "result"));
      HttpResponse<byte[]> signed =
          CLIENT.send(HttpRequest.newBuilder(result).build(), HttpResponse.BodyHandlers.ofByteArray());
      answer(exchange, 200, "application/pdf", signed.body());
    }
  }

  static void signed(HttpExchange exchange) throws Exception {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String id = exchange.getRequestHeaders().getFirst("webhook-id");
    String time = exchange.getRequestHeaders().getFirst("webhook-timestamp");
    String signatures = exchange.getRequestHeaders().getFirst("webhook-signature");
    boolean isGenuine = false;
    if (id != null && signatures != null && time != null && time.matches("\\d{1,12}")) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.replace("whsec_", "")), "HmacSHA256"));
      mac.update((id + "." + time + ".").getBytes(StandardCharsets.UTF_8));
      byte[] wanted = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
      for (String given : signatures.split(" ")) isGenuine |= MessageDigest.isEqual(wanted, given.getBytes());
      isGenuine &= Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(time)) <= 300;
    }
    if (isGenuine) System.out.println("finished: " + field(body, "status"));
    answer(exchange, isGenuine ? 204 : 401, "text/plain", new byte[0]);
  }

  interface Handler {
    void handle(HttpExchange exchange) throws Exception;
  }

  static void on(HttpServer server, String path, Handler handler) {
    server.createContext(path, exchange -> {
      try {
        handler.handle(exchange);
      } catch (Exception error) {
        answer(exchange, 500, "text/plain", new byte[0]);
      }
    });
  }

  public static void main(String[] words) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    on(server, "/sign", Service::sign);
    on(server, "/signed", Service::signed);
    server.start();
    System.out.println("ready");
  }
}
