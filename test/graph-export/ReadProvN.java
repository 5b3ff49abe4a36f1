import java.util.Map;
import java.util.TreeMap;
import org.openprovenance.prov.interop.InteropFramework;
import org.openprovenance.prov.model.StatementOrBundle;

/** Reads a file of PROV-N with ProvToolbox; prints how many statements of each kind it has, as JSON. */
public class ReadProvN {
  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    var document = new InteropFramework().readDocumentFromFile(arguments[0]);
    for (StatementOrBundle one : document.getStatementOrBundle()) counts.merge(one.getKind().name(), 1, Integer::sum);
    StringBuilder json = new StringBuilder();
    counts.forEach((kind, count) -> json.append(json.length() == 0 ? "" : ",").append('"').append(kind).append("\":").append(count));
    System.out.println("{" + json + "}");
  }
}
