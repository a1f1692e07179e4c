// Checks streams on many machines, in spark-shell. `retval`, `config`, `root`, `returns` and `output` are
// paths that are the same on all of them. As Latin-1, each byte stays as it is. `pipe` fails a task for every
// exit code but 0; that of Python does not, and changes the bytes.
import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}
import scala.sys.process.Process

val command = Seq("env", "-i", retval, "check", "--lines", "--format", "jsonl", "--exit-zero",
  "-j", "1", "--config", config, "--profile", "return", "--root", root)
val files = spark.read.format("binaryFile").option("pathGlobFilter", "*.ndjson").load(returns)
val texts = files.select("content").as[Array[Byte]].rdd.map(new String(_, ISO_8859_1))
val piped = texts.pipe(command, encoding = "ISO-8859-1")
val records = piped.map(record => new String(record.getBytes(ISO_8859_1), UTF_8)).toDS()
val schema = Process(Seq(retval, "schema", "--target", "spark")).!!
spark.read.schema(schema).option("mode", "FAILFAST").json(records).write.parquet(output)

val lines = texts.map(_.split('\n').count(_.exists(!" \t\r".contains(_))).toLong).fold(0L)(_ + _)
require(spark.read.parquet(output).count() == lines, s"not $lines records")
